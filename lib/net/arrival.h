#ifndef HP_NET_ARRIVAL_H
#define HP_NET_ARRIVAL_H

/* Frames on their way from a connection to the sink. */

#include "net/receiving.h"

/* Reads from a connection.  A frame that is whole goes on to the sink. */
int arrival_read(struct receiving *, struct inlet *, struct hp_err *);
/* Takes a frame that this node sends to itself. */
int arrival_local(struct receiving *, struct hp_err *);
/* Writes the waiting frame to the sink. */
int arrival_write(struct receiving *, struct inlet *, struct hp_err *);
/* Writes the queued notes to the sender. */
void arrival_flush(struct receiving *, struct inlet *);
/* The connection is lost.  The sender has the timeout to make another. */
void arrival_lost(struct receiving *, struct inlet *, const char *why);

#endif
