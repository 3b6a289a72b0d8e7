#ifndef HP_NET_ARRIVAL_H
#define HP_NET_ARRIVAL_H

/*
 * Moves frames from the connection of a sender to the sink, which writes the
 * output.
 */

#include "net/receiving.h"

/* Reads from a connection. Passes a complete frame on to the sink. */
int arrival_read(struct receiving *, struct inlet *, struct hp_err *);
/* Takes a frame that this node sends to itself. */
int arrival_local(struct receiving *, struct hp_err *);
/* Writes the waiting frame to the sink. */
int arrival_write(struct receiving *, struct inlet *, struct hp_err *);
/* Writes the queued notes to the sender. */
void arrival_flush(struct receiving *, struct inlet *);
/*
 * Handles the loss of a connection. The sender has the timeout to make another
 * one.
 */
void arrival_lost(struct receiving *, struct inlet *, const char *why);

#endif
