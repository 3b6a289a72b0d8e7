#ifndef HP_SHARE_ANSWER_H
#define HP_SHARE_ANSWER_H

/*
 * Divides the items of a problem among its nodes by one of the methods. Proves
 * how near to the optimum the resulting shares are.
 */

#include "share/certify.h"
#include "share/cluster.h"
#include "share/method.h"
#include "share/plan.h"
#include "share/prefix.h"

struct answer {
	enum method method; /* the method that was used; never METHOD_AUTO */
	uint64_t *n;	    /* shares by rank; answer_fini frees them */
	/*
	 * weight[i] is the sum of the weights of node i's items. If weight is
	 * NULL, each item has weight 1.
	 */
	double *weight;
	/* copied from struct division */
	size_t clamped;
	unsigned steps;
	struct certificate proof;
	/*
	 * The least makespan that is known, in seconds. Unless `unproven` is
	 * set, this is the optimum.
	 */
	double bound;
	/*
	 * true: the cost function may decrease (cost_check). Nothing can be
	 * proven, and `proof` says neither optimal nor unique.
	 */
	bool unproven;
	/*
	 * Set if the makespan includes sending, merging and the other stages of
	 * a whole run. Points to the problem, which the caller owns. NULL: the
	 * makespan is the time of the sort alone.
	 */
	const struct problem *staged;
};

/*
 * Divides the items by the method, proves how good the result is, and fills the
 * answer. Fails with HP_USAGE if the nodes lack data that the method needs,
 * with HP_INPUT as models_check does, and with HP_NOSHARE if the nodes cannot
 * take all items.
 */
int share_solve(
    const struct problem *, enum method, struct answer *, struct hp_err *);

/*
 * Divides problem.total items of different weights into contiguous parts, one
 * per node. contiguous.h describes the array `sum` of weights. Fails with
 * HP_USAGE if the time of a node decreases while the weight grows.
 */
int share_solve_weights(const struct problem *, const struct prefix *sum,
    struct answer *, struct hp_err *);

/* Stores the least possible makespan, in seconds. */
int share_bound(const struct problem *, double *bound, struct hp_err *);
/*
 * answer_plan fills a plan, but not the shares of its nodes. There may be
 * millions of nodes, so answer_share computes one share at a time. Call it for
 * rank 0, 1, ... with the same *s, zeroed before the first call. s->node then
 * points to the name of the node in the cluster.
 */
int answer_plan(const struct cluster *, const struct answer *,
    const char *method, struct plan *, struct hp_err *);
void answer_share(const struct cluster *, const struct answer *, size_t rank,
    struct share *s);
/*
 * Proves how good an existing plan is, and fills the answer with the plan's
 * shares. Fails with HP_NO and a reason if the plan does not fit the problem:
 * its nodes or number of items differ, or a node gets more than it can take.
 */
int share_check(const struct problem *, const struct plan *, struct answer *,
    struct hp_err *);

/*
 * Returns a text that tells on which data the nodes' times are based: measured
 * points, a cost function or both. The words are those of hp-plan(5). The
 * caller frees the text. Returns NULL if memory is short.
 */
char *answer_cost(const struct cluster *, const struct cost *);

void answer_fini(struct answer *);

#endif
