#ifndef HP_NET_ADOPT_H
#define HP_NET_ADOPT_H

/*
 * A connection attempt whose receiver has answered replaces the old connection.
 * Sending continues after the last frame that the receiver has.
 */

#include "net/sending.h"

/*
 * Replaces the connection of the outlet by the successful attempt. h is the
 * receiver's answer. Fails if the receiver asks for a frame that cannot be sent
 * again.
 */
int adopt(struct sending *, struct outlet *, struct handshake *,
    const struct hello *h, struct hp_err *);
/*
 * Call this when a connection ended before the receiver sent a message (a note)
 * on it. Counts such connections in a row. After several of them, fails with
 * HP_LOST: the receiver is treated as lost.
 */
int adopt_count_fruitless(struct sending *, struct outlet *, struct hp_err *);

#endif
