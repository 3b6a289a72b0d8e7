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
 * A division. No division has a smaller sum and a makespan from `floor` up to
 * the floor of the point before (or any larger makespan, for the first point).
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
 * Finds the front down to the makespan `least`. If steps is 0, each division of
 * the front is found, or one with the same makespan and sum. Otherwise about
 * that many time limits are used, in equal ratios, and `least` is one of them.
 * Some points may be worse than others in both aims.
 */
int front_find(const struct grid *, double least, unsigned steps,
    struct front *, struct hp_err *);
void front_fini(struct front *);

#endif
