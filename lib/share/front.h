#ifndef HP_SHARE_FRONT_H
#define HP_SHARE_FRONT_H

/*
 * The Pareto front of two objectives: the makespan, and the sum of an amount
 * that each node has, for example its energy. The items are divided in blocks.
 * A table holds the time and the amount of each node for each number of blocks,
 * so both may have any shape.
 *
 * For a time limit, a dynamic program finds the division with the least sum
 * whose nodes all keep the limit. The next limit is below the makespan of that
 * division. So the front is found from its slow end to its fast end.
 *
 * The amounts are added in the order of the ranks. If the same amount is added
 * to two sums, rounding never makes the smaller sum the greater one. So each
 * sum found is the least of the sums of all divisions, to the last bit.
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
 * A division of the blocks among the nodes. Among all divisions with a makespan
 * in a certain range, it has the least sum of the nodes' amounts, for example
 * of energy. The range begins at `floor` and ends before the `floor` of the
 * previous point. For the first point, the range has no upper end.
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
 * Finds divisions with makespans from the largest down to `least`. With `steps`
 * 0, finds the complete Pareto front: each division that no other division
 * beats in makespan or sum without being worse in the other. Of equal divisions
 * it finds one. With other values, tries about `steps` time limits in equal
 * ratios, including `least`. Some of these results may be worse than others in
 * both makespan and sum.
 */
int front_find(const struct grid *, double least, unsigned steps,
    struct front *, struct hp_err *);
void front_fini(struct front *);

#endif
