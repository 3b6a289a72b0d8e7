#ifndef HP_NET_ADOPT_H
#define HP_NET_ADOPT_H

/*
 * An attempt that the receiver has answered becomes the connection. It
 * continues after the last frame that the receiver has.
 */

#include "net/sending.h"

/*
 * Makes the attempt the connection of the outlet. h is the hello of the
 * receiver. Fails if the receiver asks for a frame that cannot be sent again.
 */
int adopt(struct sending *, struct outlet *, struct handshake *,
    const struct hello *h, struct hp_err *);
/*
 * Counts how many connections in a row ended before the receiver sent a note.
 * After several such connections, the receiver counts as lost.
 */
int adopt_count_fruitless(struct sending *, struct outlet *, struct hp_err *);

#endif
