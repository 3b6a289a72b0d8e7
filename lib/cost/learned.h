#ifndef HP_COST_LEARNED_H
#define HP_COST_LEARNED_H

/*
 * A cost function that is learned from measured runs (Cérin, Dubacq and Roch
 * 2006, section 3.3). If a node of speed k took some seconds for n items, the
 * cost of n items is C = seconds * k.
 */

#include <stddef.h>

#include "cost/cost.h"

struct record {
	double n;    /* items, above 0 */
	double cost; /* seconds times speed */
	/*
	 * the weight of the record: the number of runs of which `cost` is the
	 * mean, or 1
	 */
	double weight;
};

/* In documents, this text stands for a cost that was learned. */
#define LEARNED_TEXT "learned"

enum merge {
	/*
	 * The cost is the mean of all records with the same n; their weights
	 * are ignored.
	 */
	MERGE_MEAN,
	MERGE_WEIGHTED,
	MERGE_MAX
};

/*
 * Learns a cost from records. Records of the same n are merged first. Then the
 * costs are made non-decreasing in n by the weighted pool-adjacent-violators
 * algorithm. The cost is linear between the records and starts at (0, 0).
 * Beyond the last record it continues with the last slope, or in proportion to
 * n if that is steeper. Without records f(n) = n. The function sorts the
 * records, so that their order has no effect on the result. O(records log
 * records).
 */
int cost_learn(struct cost *, struct record *, size_t records, enum merge,
    struct hp_err *);

/*
 * Compute cost_at and cost_inverse for a cost function that cost_learn has made
 * from records. O(log records).
 */
long double learned_at(const struct cost *, double n);
double learned_inverse(const struct cost *, double y, double *slope);

#endif
