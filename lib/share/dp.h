#ifndef HP_SHARE_DP_H
#define HP_SHARE_DP_H

/*
 * Dynamic programming for nodes whose times have any shape (Cérin, Dubacq and
 * Roch 2006, section 4). Let T(m, i) be the least makespan of m items on the
 * first i nodes, and t_i(x) the time of node i for x items. Then T(m, i) = min
 * over x of max(t_i(x), T(m - x, i - 1)).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Returns the time that node i needs for x items; infinity if the node cannot
 * take x items.
 */
typedef double dp_time(const void *context, size_t i, uint64_t x);

/*
 * Stores in n[p] the shares with the least makespan and in *makespan that time.
 * The shares add up to total.
 *
 * If block is above 1, all shares except the first are multiples of it. Suppose
 * that total is a multiple of block and the times do not decrease. Then the
 * makespan is at most the time of the optimal shares rounded up to blocks.
 * Otherwise there is no bound.
 *
 * With m = total/block, this takes O(p m^2) time, or O(p m log m) if the times
 * do not decrease, and 4 p m bytes.
 */
int dp_divide(dp_time *, const void *context, size_t p, uint64_t total,
    uint64_t block, uint64_t *n, double *makespan, struct hp_err *);

/*
 * Returns whether dp_divide would take only seconds and less than a gigabyte of
 * memory.
 */
bool dp_feasible(size_t p, uint64_t total, uint64_t block);

#endif
