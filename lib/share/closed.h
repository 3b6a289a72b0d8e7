#ifndef HP_SHARE_CLOSED_H
#define HP_SHARE_CLOSED_H

/*
 * Shares of N items by closed formulas, as real numbers x[p] for p nodes with
 * relative speeds k[p]. Each formula takes O(p) time, except the asymptotic
 * formula, which searches for the finish time.
 */

#include <stdbool.h>
#include <stddef.h>

/* Shares in proportion to the speeds (Cérin, Koskas, Jemni and Fkaier 2004). */
void closed_proportional(const double *k, size_t p, double N, double *x);

/*
 * Shares for the cost n log n: a first-order correction of shares in proportion
 * to the speeds (Cérin et al. 2004, Theorem 3). The shares add up to N, but
 * some can be negative. N must be at least 2.
 */
void closed_taylor(const double *k, size_t p, double N, double *x);

/*
 * Shares for the cost n log n, by one step of Newton's method from shares in
 * proportion to the speeds (Cérin et al. 2004, equation 6 for two nodes,
 * equation 8 for more). The shares add up to N, but some can be negative.
 */
void closed_newton(const double *k, size_t p, double N, double *x);

/*
 * Shares for the cost n^b (Cérin, Dubacq and Roch 2006, Theorem 1). The arrays
 * x and k may be the same. Returns the finish time T of all nodes.
 */
double closed_power(const double *k, size_t p, double N, double b, double *x);

/*
 * Shares for the cost n log n, by the first terms of the Lambert W function
 * (Cérin, Dubacq and Roch 2006, Theorem 2). In the theorem as printed, a factor
 * ln x is missing. The factor is added unless `printed` is set. Returns the
 * finish time T of all nodes.
 */
double
closed_asymptotic(const double *k, size_t p, double N, bool printed, double *x);
/*
 * Returns the share of a node that has the speed k and works until the time T,
 * for x = k T. The cost is n log n, so the share is about x/W(x), where W is
 * the Lambert function. The formula printed in the paper lacks a factor ln x;
 * it is used if `printed` is set.
 */
double closed_asymptotic_inverse(double x, bool printed);

#endif
