#ifndef HP_SHARE_DP_H
#define HP_SHARE_DP_H

/*
 * The dynamic program of Cérin, Dubacq and Roch 2006, section 4, for times of
 * any shape: T(m, i) = min over x of max(t_i(x), T(m - x, i - 1)).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The time of node i for x items; infinite where it cannot. */
typedef double dp_time(const void *context, size_t i, uint64_t x);

/*
 * n[p]: shares that add up to total with the least makespan, which is returned
 * in *makespan.  With a block above 1 all shares but the first are multiples
 * of it: for times that do not fall, and a total that is a multiple, the
 * makespan is at most the time of the optimal shares rounded up to blocks; for
 * others there is no bound.  O(p (total/block)^2) time, or O(p m log m) for
 * m = total/block where the times do not fall, and 4 p m bytes.
 */
int dp_divide(dp_time *, const void *context, size_t p, uint64_t total,
    uint64_t block, uint64_t *n, double *makespan, struct hp_err *);

/* Is that a matter of seconds and of less than a gigabyte? */
bool dp_feasible(size_t p, uint64_t total, uint64_t block);

#endif
