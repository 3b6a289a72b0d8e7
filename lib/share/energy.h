#ifndef HP_SHARE_ENERGY_H
#define HP_SHARE_ENERGY_H

/* The energy that nodes use while they work, and while they wait. */

#include "share/cluster.h"

/* Returns the power that a node uses more while it works, in watts. */
double energy_rise(const struct node *);
/* Returns the power of all nodes together while they wait, in watts. */
double energy_idle(const struct cluster *);
/*
 * Returns the energy of a plan with the shares n[] and this makespan. The
 * energy is in joules if the times are in seconds. The energies of the nodes
 * are added in the order of the ranks.
 */
double energy_total(const struct cluster *, const uint64_t *n, double makespan);

#endif
