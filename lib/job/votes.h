#ifndef HP_JOB_VOTES_H
#define HP_JOB_VOTES_H

/*
 * Which nodes a run does without after an exchange has failed.  The nodes
 * report which peers they did not reach (doc/unreached.h); the smallest set of
 * machines that explains all reports is dropped.  Pure: this decides from what
 * it is told, and does nothing.
 *
 * A machine that the launcher does not hear any more is dropped.  If it
 * answered a new login, its connections have recovered: it stays, and what it
 * and others say of each other does not count.
 *
 * A link between two nodes of different machines is cut if both ends miss each
 * other.  If one end only misses the other, the other hears it, or stood still:
 * the link may be well again, or a new process may be, so that trying again is
 * better than dropping anybody.  Reports of peers that came back, and of
 * processes that ended, do not count either: a node that ends because another
 * one gave up is no evidence against itself.
 *
 * Every cut link must lose one of its ends.  Both may be healthy, so the rule
 * is fixed.  The fewest machines go; among sets of as many machines the one
 * with the fewest nodes, then the one whose nodes have the most troubled links,
 * then the smallest shares, then the one that keeps the lower ranks.  Only ends
 * of cut links go.  If more than half of the machines had to go, the network is
 * at fault, and nobody goes.
 *
 * If there is no cut link, and no other try is left, one node may go that two
 * machines or more miss, if they are more than half of the others and all that
 * is missed is this node.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "doc/unreached.h"

enum votes_machine {
	VOTES_HEARD,
	VOTES_LOST, /* the launcher does not hear its agent */
	VOTES_BACK  /* it was lost, and answered a new login */
};

struct votes_node {
	size_t machine;		     /* any number; equal on one machine */
	enum votes_machine state;    /* of the machine */
	const struct misses *report; /* NULL: none */
	double share;		     /* of the work, in any unit */
};

enum votes_why {
	VOTES_STAYS,
	VOTES_GONE,  /* its machine is lost */
	VOTES_CUT,   /* links to it are cut */
	VOTES_MISSED /* most others do not hear it */
};

/* What becomes of a node. */
struct votes_fate {
	enum votes_why why;
	size_t links; /* how many that is */
	/* Of one of them: the other end, and what the ends say. */
	uint64_t peer;
	enum miss_why miss;
	double seconds;
};

enum votes_verdict {
	VOTES_NOBODY,  /* try again with all */
	VOTES_DROP,    /* fates tell which */
	VOTES_NETWORK, /* more is cut than nodes could explain */
	VOTES_FAILED   /* out of memory */
};

/*
 * fate: an element for each node, the caller's.  last: the stage is not tried
 * again.
 */
enum votes_verdict votes_decide(const struct votes_node *, size_t n, bool last,
    struct votes_fate *fate, struct hp_err *);

/* Why a node goes, in words: "no link to b (silent for 7 s)". */
void votes_text(
    const struct votes_fate *, const char *peer, char *text, size_t size);

#endif
