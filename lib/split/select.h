#ifndef HP_SPLIT_SELECT_H
#define HP_SPLIT_SELECT_H

/*
 * Pivots from candidates: the candidate nearest to each target, a target being
 * how many records shall lie before.  Targets may be as unequal as they like.
 */

#include "base/err.h"
#include "split/pivot.h"

struct candidates {
	struct pivots list; /* sorted */
	size_t nodes;
	uint64_t *records; /* of each node's input, by rank */
};

/*
 * How many of all records lie before each candidate, estimated; below has
 * list.n elements and never falls.  Fails with HP_INPUT when a candidate's
 * rank or index is none of its node's.
 *
 * At random (H-PSS): candidate j of c is expected at (j+1)/(c+1) of the way,
 * each counting for as many records as its node has for one.  O(c + nodes).
 */
int select_random(const struct candidates *, double *below, struct hp_err *);
/*
 * Regular ranks of sorted inputs (H-PSRS): a candidate's index counts the
 * records before it in its own input; in each other one it lies between two
 * neighbouring candidates, and the middle between their indices is taken.
 * O(c + nodes).
 *
 * With the same spacing g of candidates on all nodes an estimate is off by
 * less than (nodes - 1) g/2, and a node whose share is a multiple of g gets
 * less than (nodes - 1) g more than its share: at most twice the share when
 * that is N/P' or more and there are P'(nodes - 1) candidates (Cérin, Fkaier,
 * Jemni, Table 7; Shi, Schaeffer 1992).
 */
int select_regular(const struct candidates *, double *below, struct hp_err *);

/*
 * The bound between what lies before the target and what does not: the
 * candidate with the estimate nearest to it, or either end of the order where
 * that is nearer.  Fills until and bounded.  O(log c).
 */
int select_nearest(const struct candidates *, const double *below,
    uint64_t target, uint64_t total, struct sublist *, struct hp_err *);

#endif
