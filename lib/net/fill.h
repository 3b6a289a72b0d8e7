#ifndef HP_NET_FILL_H
#define HP_NET_FILL_H

/* Moves frames from the input into the windows of the receivers. */

#include "net/sending.h"

/*
 * Moves frames from the input into the windows until the windows have no more
 * room.
 */
int fill_windows(struct sending *, struct hp_err *);

#endif
