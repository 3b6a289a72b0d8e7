#ifndef HP_COST_LEARNED_H
#define HP_COST_LEARNED_H

/*
 * A cost function learned from runs (Cérin, Dubacq and Roch 2006, section 3.3):
 * a piece of n items that took a node of speed k some seconds had the cost
 * C = seconds * k.
 */

#include <stddef.h>

#include "cost/cost.h"

struct record {
	double n;      /* items, above 0 */
	double cost;   /* seconds times speed */
	double weight; /* above 0: 1, or how many runs it stands for */
};

/* The text of such a cost. */
#define LEARNED_TEXT "learned"

enum merge {
	MERGE_MEAN, /* of records with the same n; each counts once */
	MERGE_WEIGHTED,
	MERGE_MAX
};

/*
 * Records of the same n are merged, then the costs are made to rise with n by
 * pooling adjacent violators, weighted; all from the records as they are, which
 * it sorts, so that the order of their arrival does not matter.  The cost is
 * affine between them, from (0, 0) on; beyond the last it goes on as before,
 * at least in proportion.  No record at all gives f(n) = n.  O(records log).
 */
int cost_learn(struct cost *, struct record *, size_t records, enum merge,
    struct hp_err *);

/* cost_at and cost_inverse of what was learned.  O(log records). */
long double learned_at(const struct cost *, double n);
double learned_inverse(const struct cost *, double y, double *slope);

#endif
