#ifndef HP_NET_CONNECT_H
#define HP_NET_CONNECT_H

/*
 * Decides when to connect to a receiver. An attempt is due if there is no
 * connection, or if the connection is silent for too long.
 */

#include "net/sending.h"

/*
 * Starts the connection attempts that are due. Lowers *wait_s to the seconds
 * until the next attempt is due. Fails when a receiver counts as lost.
 */
int connect_turn(struct sending *, double *wait_s, struct hp_err *);
/* The receiver was heard on its connection. */
void connect_heard(const struct sending *, struct outlet *);

#endif
