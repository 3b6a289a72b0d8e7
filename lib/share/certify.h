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
	/* T, the time in seconds at which the last node finishes */
	double makespan;
	size_t last;
	/* number of items that all nodes together can finish in less than T */
	uint64_t below;
	/* number of items that all nodes together can finish in T or less */
	uint64_t upto;
	bool optimal, unique;
};

/*
 * Returns the time at which the last node finishes. Stores the rank of that
 * node in *last.
 */
double share_makespan(const struct cluster *, const uint64_t *n, size_t *last);

/*
 * Proves whether the shares n[p] are optimal, and stores the result. The shares
 * must not exceed the limits of the nodes, and must add up to total. O(p log
 * total).
 */
void share_certify(const struct cluster *, uint64_t total, const uint64_t *n,
    struct certificate *);

#endif
