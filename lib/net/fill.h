#ifndef HP_NET_FILL_H
#define HP_NET_FILL_H

/* Frames from the input into the windows of the receivers. */

#include "net/sending.h"

/* Moves as many frames as there is room for. */
int fill_windows(struct sending *, struct hp_err *);

#endif
