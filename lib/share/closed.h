#ifndef HP_SHARE_CLOSED_H
#define HP_SHARE_CLOSED_H

/*
 * Closed-form shares: real numbers x[p] of N items for nodes of relative speeds
 * k[p]. All take O(p) time except the asymptotic form, which searches for the
 * finish time.
 */

#include <stdbool.h>
#include <stddef.h>

/* Shares in proportion to the speeds (Cérin, Koskas, Jemni and Fkaier 2004). */
void closed_proportional(const double *k, size_t p, double N, double *x);

/*
 * First-order correction of proportional shares for the cost f = n log n (Cérin
 * et al. 2004, Theorem 3). The shares add up to N; some can be negative. N must
 * be at least 2.
 */
void closed_taylor(const double *k, size_t p, double N, double *x);

/*
 * Shares for the cost f = n log n by one step of Newton's method from
 * proportional shares (Cérin et al. 2004, equation 6 for two nodes and equation
 * 8 for more). The shares add up to N; some can be negative. Theorem 3 follows
 * if ln N replaces each 1 + ln(k_i N/K) in equation 8.
 */
void closed_newton(const double *k, size_t p, double N, double *x);

/*
 * Shares for the cost f = n^b (Cérin, Dubacq and Roch 2006, Theorem 1). x may
 * be the same array as k. Returns the finish time T.
 */
double closed_power(const double *k, size_t p, double N, double b, double *x);

/*
 * Shares for the cost f = n log n by the first terms of the Lambert W function
 * (Cérin, Dubacq and Roch 2006, Theorem 2). The theorem as printed lacks a
 * factor ln x; `printed` selects that version. Returns the finish time T.
 */
double
closed_asymptotic(const double *k, size_t p, double N, bool printed, double *x);
/*
 * Returns the share for x = T k in closed_asymptotic: an approximation of
 * x/W(x).
 */
double closed_asymptotic_inverse(double x, bool printed);

#endif
