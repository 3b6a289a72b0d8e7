#ifndef HP_NET_FILL_H
#define HP_NET_FILL_H

/* Moves frames from the input into the windows of the receivers. */

#include "net/sending.h"

/* Moves as many frames as the windows have room for. */
int fill_windows(struct sending *, struct hp_err *);

#endif
