#ifndef HP_SHARE_FRONT_H
#define HP_SHARE_FRONT_H

/*
 * The front of two aims: the makespan, and a sum of one amount for each node.
 * The items are divided in blocks. A table holds the time and the amount of
 * each node for each number of blocks, so both may have any shape.
 *
 * For a time limit, a dynamic program finds the division with the least sum
 * whose nodes all keep the limit. The next limit is below the makespan of that
 * division. So the front is found from its slow end to its fast end.
 *
 * The sums are added in the order of the ranks. Rounding never changes which of
 * two such sums is the greater after another addition. So each sum is the least
 * of the sums of all divisions, to the last bit.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct grid {
	size_t nodes;
	size_t blocks;	/* blocks that all nodes get together */
	double *time;	/* [nodes][blocks + 1]; infinity: not possible */
	double *amount; /* [nodes][blocks + 1]; none is negative */
};

int grid_init(struct grid *, size_t nodes, size_t blocks, struct hp_err *);
void grid_fini(struct grid *);

/*
 * One division of the blocks. No division has a smaller sum of amounts and a
 * makespan between this `floor` and the `floor` of the point before. (The first
 * point has no point before, so there is no upper end.)
 */
struct front_point {
	double floor;
	double makespan, sum;
	uint32_t *blocks; /* [nodes] */
};

struct front {
	struct front_point *point; /* by decreasing makespan */
	size_t n, cap;
};

/*
 * Finds divisions with makespans from the largest down to `least`. With steps
 * 0, finds all for which no other division is better in both makespan and sum;
 * of several equally good ones, finds one. Otherwise tries about `steps` time
 * limits in equal ratios, of which one is `least`. Then some results may be
 * worse than others.
 */
int front_find(const struct grid *, double least, unsigned steps,
    struct front *, struct hp_err *);
void front_fini(struct front *);

#endif
