#ifndef HP_SPLIT_SELECT_H
#define HP_SPLIT_SELECT_H

/*
 * Selects pivots, which are the bounds between nodes, from candidates. A target
 * is a number of records. The pivot for a target is the candidate with about so
 * many records before it. The distances between targets may differ.
 */

#include "base/err.h"
#include "split/pivot.h"

struct candidates {
	struct pivots list; /* all candidates, sorted */
	size_t nodes;
	uint64_t *records; /* number of records of each node */
};

/*
 * Both functions estimate how many of all records lie before each candidate;
 * below has list.n elements and ascends. They fail with HP_INPUT if a
 * candidate's rank or index does not exist.
 *
 * For random candidates (H-PSS): candidate j of c is expected at (j+1)/(c+1) of
 * all records. Each counts for as many records as its node has per candidate.
 * O(c + nodes).
 */
int select_random(const struct candidates *, double *below, struct hp_err *);
/*
 * For candidates at regular distances of sorted inputs (H-PSRS). The index of a
 * candidate is the number of records before it on its own node. On each other
 * node its position lies between two neighbouring candidates, and the middle is
 * taken. O(c + nodes).
 *
 * With the same distance g between candidates on all nodes, the error of an
 * estimate is below (nodes - 1) g/2. A node whose share is a multiple of g gets
 * less than (nodes - 1) g more than its share. That is at most twice the share
 * if the share is N/P' or more and there are P'(nodes - 1) candidates (Cérin,
 * Fkaier, Jemni, Table 7; Shi, Schaeffer 1992).
 */
int select_regular(const struct candidates *, double *below, struct hp_err *);

/*
 * Sets the end of a sublist so that about `target` records lie before it.
 * Chooses the candidate with the nearest estimate in `below`. If 0 is nearer to
 * the target, the sublist ends before all records; if `total` is nearer, it has
 * no end. Sets the members `until` and `bounded`. O(log c).
 */
int select_nearest(const struct candidates *, const double *below,
    uint64_t target, uint64_t total, struct sublist *, struct hp_err *);

#endif
