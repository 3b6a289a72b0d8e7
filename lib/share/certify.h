#ifndef HP_SHARE_CERTIFY_H
#define HP_SHARE_CERTIFY_H

/*
 * Certifies that a plan is optimal, independently of how it was found. Let T be
 * the plan's makespan.
 *
 * The plan is optimal if and only if all nodes together can do fewer than
 * `total` items in less than T:
 *   sum_i max {x : t_i(x) < T} < total.
 * The plan is the only optimal one if and only if, in addition, they can do no
 * more than `total` items by T:
 *   sum_i max {x : t_i(x) <= T} = total.
 * No term counts more than `total` items. The certificate holds for
 * non-decreasing times only.
 */

#include <stdbool.h>

#include "share/cluster.h"

struct certificate {
	double makespan; /* T, the finish time of node `last`, in seconds */
	size_t last;
	/* number of items that all nodes together can do in less than T */
	uint64_t below;
	/* number of items that all nodes together can do in T or less */
	uint64_t upto;
	bool optimal, unique;
};

/*
 * Returns the latest finish time of all nodes and stores the rank of that node.
 */
double share_makespan(const struct cluster *, const uint64_t *n, size_t *last);

/*
 * Fills the certificate of the shares n[p]. The shares must be within the
 * limits and add up to total. O(p log total).
 */
void share_certify(const struct cluster *, uint64_t total, const uint64_t *n,
    struct certificate *);

#endif
