#ifndef HP_NET_LOGINS_H
#define HP_NET_LOGINS_H

/*
 * Limits how many logins this node has pending, and makes the nodes log in at a
 * machine in turn (loginorder.h). If the transport sets no limit, every node
 * may connect at any time.
 */

#include "net/sending.h"

int logins_init(struct sending *, struct hp_err *);
/*
 * Returns how many seconds the first connection attempt to a receiver may take.
 * Then a second attempt starts, and the first one continues.
 */
double logins_first_s(const struct sending *);
/*
 * Returns the number of machines at which this node has finished its logins.
 * The node tells its peers this number in a `passed` note.
 */
uint32_t logins_passed(const struct sending *);
/*
 * Returns whether this node may start a connection attempt to the receiver now.
 */
bool logins_may_start(const struct sending *, const struct outlet *);

#endif
