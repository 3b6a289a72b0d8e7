#ifndef HP_LINK_TURNS_H
#define HP_LINK_TURNS_H

/*
 * Whose turn it is to log in.  A machine bears few logins at a time, and nobody
 * stands at its door to count them.  So all nodes know an order in which they
 * come to each machine: first those of the machine before it in the cluster,
 * then those of the one before that, and so on, round.  Each logs in at its
 * nodes one after the other, and who stands in that order behind as many as the
 * machine bears waits until one of them has done so: the one that stands just
 * so far before it.
 *
 * That one is of a machine to which the waiting node comes earlier than to this
 * one, or of its own, so that they are connected, and it can tell.  The first
 * do not wait, so nobody waits for ever.
 */

#include <stdbool.h>
#include <stdint.h>

#include "link/transport.h"

/* To log in at a node. */
struct turn {
	/* How many machines on from this node's; 0: no login is needed. */
	uint32_t machine;
	uint32_t after;	 /* which node is to be there before, or TURN_FIRST */
	uint32_t passed; /* how many machines that has passed then */
	uint32_t wave;	 /* how many are before it in the same way */
};

#define TURN_FIRST UINT32_MAX
#define PASSED_ALL UINT32_MAX

/* Whether a node is on the machine of another. */
bool turns_near(const struct address *to, const struct address *self);

/*
 * The turns of node me at each node, where a machine bears so many logins at a
 * time.
 */
int turns_init(struct turn *, const struct address *, uint32_t nodes,
    uint32_t me, uint32_t logins, struct hp_err *);

#endif
