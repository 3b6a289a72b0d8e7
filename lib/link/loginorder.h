#ifndef HP_LINK_LOGINORDER_H
#define HP_LINK_LOGINORDER_H

/*
 * The order in which the nodes log in on each machine, so that no machine has
 * more simultaneous logins than its sshd accepts.  No server counts the logins:
 * every node computes the same order from the cluster file.
 *
 * The nodes log in on a machine M in this order: first the nodes of the machine
 * before M in the cluster, then those of the machine before that, and so on,
 * cyclically.  A node logs in at the nodes of one machine one after the other.
 * With a limit of L logins, the first L nodes in the order start at once.  Each
 * later node waits for the node L places before it, its predecessor, to finish
 * its logins there.
 *
 * The predecessor tells the waiting node when it has finished.  The two are
 * already connected then, because the predecessor is on the machine of the
 * waiting node, or on a machine at which the waiting node logs in earlier.  The
 * first nodes never wait, so there is no deadlock.
 */

#include <stdint.h>

#include "base/err.h"
#include "link/address.h"

/*
 * Tells when this node may log in at another node: after the node that precedes
 * it in a fixed order.
 */
struct login_order {
	/*
	 * Distance from this node's machine to that of the other node, in the
	 * cyclic order of machines. 0: this node need not wait with its login,
	 * because both are on one machine or logins are not limited.
	 */
	uint32_t machine;
	uint32_t after;	 /* rank of the predecessor, or LOGIN_FIRST */
	uint32_t passed; /* machines that the predecessor must have finished */
	uint32_t wave;	 /* predecessors of the predecessor, and so on */
};

#define LOGIN_FIRST UINT32_MAX
/*
 * Value of the note NOTE_PASSED (number of machines at which a node has
 * finished its logins) when a node is connected to all other nodes.
 */
#define PASSED_ALL UINT32_MAX

/*
 * Computes for each other node, indexed by rank, after which logins the node
 * `me` may log in there. `logins` is the maximum number of simultaneous logins
 * at each machine; 0 is no limit.
 */
int login_order_init(struct login_order *, const struct address *,
    uint32_t nodes, uint32_t me, uint32_t logins, struct hp_err *);

#endif
