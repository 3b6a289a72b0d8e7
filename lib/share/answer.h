#ifndef HP_SHARE_ANSWER_H
#define HP_SHARE_ANSWER_H

/* Solves a problem by one of the methods and proves how good the shares are. */

#include "share/certify.h"
#include "share/cluster.h"
#include "share/method.h"
#include "share/plan.h"

struct answer {
	enum method method; /* the method that was used; never METHOD_AUTO */
	uint64_t *n;	    /* shares by rank; answer_fini frees them */
	/* total weight of each share; NULL: each item weighs 1 */
	double *weight;
	/* copied from struct division */
	size_t clamped;
	unsigned steps;
	struct certificate proof;
	/*
	 * smallest known makespan in seconds; it is optimal unless `unproven`
	 */
	double bound;
	/*
	 * The cost function could not be shown to increase (cost_check). Then
	 * nothing can be proven, and the proof says neither optimal nor unique.
	 */
	bool unproven;
	/*
	 * the problem, if the makespan is the sum of the stages of a whole run;
	 * NULL: the makespan is that of the sort alone. Borrowed
	 */
	const struct problem *staged;
};

/*
 * Divides the items by the method, proves the result and fills the answer.
 * Fails with HP_USAGE if the nodes lack what the method needs, and with
 * HP_NOSHARE if they cannot hold all items.
 */
int share_solve(
    const struct problem *, enum method, struct answer *, struct hp_err *);

/*
 * Divides problem.total items of different weights into contiguous parts;
 * contiguous.h describes `sum`.  Fails with HP_USAGE if the times decrease.
 */
int share_solve_weights(const struct problem *, const double *sum,
    struct answer *, struct hp_err *);

/* Stores the least possible makespan, in seconds. */
int share_bound(const struct problem *, double *bound, struct hp_err *);
/*
 * Fills a plan from the answer, with `method` as the method's name. Plans can
 * have millions of shares, so this does not copy them: answer_share computes
 * one at a time. Call it for the ranks in order. *s must be zero before the
 * first call, and then hold the share of the previous rank. s->node borrows the
 * node's name.
 */
int answer_plan(const struct cluster *, const struct answer *,
    const char *method, struct plan *, struct hp_err *);
void answer_share(const struct cluster *, const struct answer *, size_t rank,
    struct share *s);
/*
 * Makes an answer of the shares of an existing plan and proves it. Fails with
 * HP_NO and the reason if the plan does not fit the problem: its nodes or its
 * number of items differ, or a node gets more than it can take.
 */
int share_check(const struct problem *, const struct plan *, struct answer *,
    struct hp_err *);

/*
 * Describes the data on which the nodes' times are based, in the words of
 * hp-plan(5): measured points, a cost function or both. The caller frees the
 * string. Returns NULL if memory is short.
 */
char *answer_cost(const struct cluster *, const struct cost *);

void answer_fini(struct answer *);

#endif
