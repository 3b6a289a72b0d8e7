#ifndef HP_SHARE_CLOSED_H
#define HP_SHARE_CLOSED_H

/*
 * The closed forms, as real numbers: shares x[p] of N items for nodes of
 * relative speeds k[p].  Each is O(p) but for the asymptotic ones, which search
 * a time.
 */

#include <stdbool.h>
#include <stddef.h>

/* Proportional to the speed (Cérin, Koskas, Jemni and Fkaier 2004). */
void closed_proportional(const double *k, size_t p, double N, double *x);

/*
 * First order correction for f = n log n (Cérin et al. 2004, Theorem 3).  Adds
 * up to N; a share can be negative.  N >= 2.
 */
void closed_taylor(const double *k, size_t p, double N, double *x);

/*
 * f = n^b (Cérin, Dubacq and Roch 2006, Theorem 1); x may be k.  Returns the
 * time T.
 */
double closed_power(const double *k, size_t p, double N, double b, double *x);

/*
 * f = n log n by the first terms of Lambert's W (Cérin, Dubacq and Roch 2006,
 * Theorem 2).  As it is printed a factor ln x is missing.  Returns the time T.
 */
double
closed_asymptotic(const double *k, size_t p, double N, bool printed, double *x);
/* Its n for x = T k: what stands for x/W(x). */
double closed_asymptotic_inverse(double x, bool printed);

#endif
