#ifndef HP_JOB_VOTES_H
#define HP_JOB_VOTES_H

/*
 * Decides which nodes to drop after a failed exchange.  Nodes report the peers
 * that they did not reach (doc/unreached.h).  The smallest set of machines that
 * explains all reports is dropped.  The functions have no side effects.
 *
 * A machine without connection to the launcher is dropped.  If it answered a
 * new login, its connections have recovered.  Then it stays, and reports by it
 * and about it are ignored.
 *
 * A link between nodes of different machines counts as cut if both ends miss
 * each other.  If only one end misses the other, the link may have recovered,
 * or a process was stopped or restarted.  A retry is then better than a drop.
 * Two more reports are ignored: of peers that came back, and of processes that
 * ended.  A process may end only because another one gave up.
 *
 * Every cut link must lose one of its ends, and both may be healthy.  So a
 * fixed rule decides between sets that explain all cut links:
 *   1. fewest machines
 *   2. fewest nodes
 *   3. most links with problems
 *   4. smallest total share
 *   5. lower ranks stay
 * Only ends of cut links are dropped.  If more than half of the machines would
 * be dropped, the network is at fault, and no node is dropped.
 *
 * Without cut links, and only after the last retry, a single node may be
 * dropped.  It must be the only missed node.  At least two machines, and more
 * than half of the others, must miss it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "doc/unreached.h"

enum votes_machine {
	VOTES_HEARD,
	VOTES_LOST, /* the launcher has no connection to it */
	/* the machine was lost, but a new login to it has succeeded */
	VOTES_BACK
};

struct votes_node {
	/* number of the machine: any number, but the same for all its nodes */
	size_t machine;
	enum votes_machine state;    /* state of the machine */
	const struct misses *report; /* NULL: none */
	double share;		     /* share of the work, in any unit */
};

enum votes_why {
	VOTES_STAYS,
	VOTES_GONE,  /* its machine is lost */
	VOTES_CUT,   /* links to it are cut */
	VOTES_MISSED /* most others do not hear it */
};

/* The decision on a node. */
struct votes_fate {
	enum votes_why why;
	size_t links; /* how many links count against it */
	/*
	 * The worst link of the node: the rank of the node at its other end,
	 * and what was reported about it.
	 */
	uint64_t peer;
	enum miss_why miss;
	double seconds;
};

enum votes_verdict {
	VOTES_NOBODY,  /* retry with all nodes */
	VOTES_DROP,    /* drop nodes, see their fates */
	VOTES_NETWORK, /* too many cut links for faulty nodes */
	VOTES_FAILED   /* out of memory */
};

/*
 * Decides which nodes the run drops after a failed exchange.
 *   fate  the decision on each node, n elements; caller's storage
 *   last  true if the exchange will not be retried
 */
enum votes_verdict votes_decide(const struct votes_node *, size_t n, bool last,
    struct votes_fate *fate, struct hp_err *);

#endif
