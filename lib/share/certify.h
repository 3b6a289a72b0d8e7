#ifndef HP_SHARE_CERTIFY_H
#define HP_SHARE_CERTIFY_H

/*
 * The proof of a plan, independent of how it was found.  With makespan T it is
 * optimal if and only if the nodes could do less than all items in less than
 * T, sum_i max {x : t_i(x) < T} < total; and it is the only optimum if and
 * only if they can do no more than all by T, sum_i max {x : t_i(x) <= T} =
 * total (none counted with more than total).  For times that do not fall.
 */

#include <stdbool.h>

#include "share/cluster.h"

struct certificate {
	double makespan; /* T, of the node `last` */
	size_t last;
	uint64_t below; /* items that fit into less than T */
	uint64_t upto;	/* and into T */
	bool optimal, unique;
};

/* When the last node is done with its share, and which that is. */
double share_makespan(const struct cluster *, const uint64_t *n, size_t *last);

/* n[p] must be within the limits and add up to total.  O(p log total). */
void share_certify(const struct cluster *, uint64_t total, const uint64_t *n,
    struct certificate *);

#endif
