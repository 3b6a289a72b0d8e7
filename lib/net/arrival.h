#ifndef HP_NET_ARRIVAL_H
#define HP_NET_ARRIVAL_H

/*
 * Reads frames from the connection of a sender, and passes them to the sink,
 * which writes the output.
 */

#include "net/receiving.h"

/*
 * Reads from the connection of a sender. Passes a complete frame to the sink.
 */
int arrival_read(struct receiving *, struct inlet *, struct hp_err *);
/*
 * Takes a frame from the local queue, which has the frames that this node sends
 * to itself.
 */
int arrival_local(struct receiving *, struct hp_err *);
/* Writes the waiting frame to the sink. */
int arrival_write(struct receiving *, struct inlet *, struct hp_err *);
/* Writes the queued notes to the sender. */
void arrival_flush(struct receiving *, struct inlet *);
/*
 * Handles the loss of a connection. The sender may connect again until the
 * timeout.
 */
void arrival_lost(struct receiving *, struct inlet *, const char *why);

#endif
