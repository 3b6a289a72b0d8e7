#ifndef HP_SHARE_PARETO_H
#define HP_SHARE_PARETO_H

/*
 * Computes plans between the fastest plan and the plan with the least energy.
 * The energy has two parts. All nodes take their idle power during the whole
 * makespan. Each node takes additional power while it works.
 */

#include <stdint.h>

#include "share/problem.h"

struct pareto_plan {
	double makespan, energy;
	/*
	 * Every plan that is as fast as this one or faster needs at least this
	 * energy. In the last element, the bound holds for every plan, however
	 * slow.
	 */
	double bound;
	uint64_t *n; /* shares by rank */
};

struct pareto {
	struct pareto_plan *plan; /* by increasing makespan */
	size_t n;
	uint64_t block; /* 1: the front is complete */
};

/*
 * Finds the plans between the fastest one and the one with the least energy.
 * p->block is the number of items in a block; if it is 0, a number is chosen.
 * Fails with HP_USAGE if the power of a node is unknown, if there are too many
 * blocks, or if blocks are larger than 1 and some time decreases. Fails with
 * HP_NOSHARE if the nodes cannot take all items.
 */
int share_pareto(const struct problem *, struct pareto *, struct hp_err *);
void pareto_fini(struct pareto *);

#endif
