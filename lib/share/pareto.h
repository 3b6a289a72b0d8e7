#ifndef HP_SHARE_PARETO_H
#define HP_SHARE_PARETO_H

/*
 * Plans between the fastest one and the one with the least energy. The energy
 * of a plan is the idle power of all nodes times the makespan, plus the power
 * by which each node exceeds its idle power while it works, times its time.
 */

#include <stdint.h>

#include "share/problem.h"

struct pareto_plan {
	double makespan, energy;
	/*
	 * No plan with this makespan or a smaller one uses less energy. For the
	 * last plan, no plan at all uses less.
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
 * Returns the energy of the shares, which take `makespan`; in joules if times
 * are in seconds. It is added in the order of the ranks.
 */
double
pareto_energy(const struct cluster *, const uint64_t *n, double makespan);

/*
 * Finds the front. p->block is the size of the blocks in which items move; if
 * it is 0, a size is chosen. Fails with HP_USAGE if the power of a node is
 * unknown, if there are too many blocks, or if blocks are larger than 1 and
 * some time decreases. Fails with HP_NOSHARE like share_solve.
 */
int share_pareto(const struct problem *, struct pareto *, struct hp_err *);
void pareto_fini(struct pareto *);

#endif
