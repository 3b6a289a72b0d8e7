#ifndef HP_COST_INVERSE_H
#define HP_COST_INVERSE_H

/* Finds how many items a node can process in a given time. */

#include "cost/curve.h"

/*
 * Returns the real number x whose time is T, but at most what the node can
 * take. Accurate to about double precision, as a start for an exact search.
 * Stores the derivative of x by T in *slope, unless slope is NULL.
 */
double curve_inverse(const struct curve *, double T, double *slope);

#endif
