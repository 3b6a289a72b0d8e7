#ifndef HP_COST_INVERSE_H
#define HP_COST_INVERSE_H

/* Finds how many items a node can process in a given time. */

#include "cost/curve.h"

/*
 * Returns the number of items that the node processes in T seconds, as a real
 * number. The result is at most the node's capacity. It is accurate to about
 * double precision, as a start for an exact search. Stores the derivative of
 * the result with respect to T in *slope, unless slope is NULL.
 */
double curve_inverse(const struct curve *, double T, double *slope);

#endif
