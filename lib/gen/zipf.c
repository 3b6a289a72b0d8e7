#include <math.h>

#include "gen/zipf.h"

/*
 * Compute (e^x - 1) / x and ln(1 + x) / x. Near x = 0 they use the limit, so an
 * exponent at or near 1 needs no special case.
 */
static double
expm1_over(double x)
{
	return fabs(x) > 1e-8 ? expm1(x) / x : 1 + x / 2;
}

static double
log1p_over(double x)
{
	return fabs(x) > 1e-8 ? log1p(x) / x : 1 - x / 2;
}

/* Computes the hat function x^-exponent. */
static double
hat(const struct zipf *z, double x)
{
	return exp(-z->exponent * log(x));
}

/*
 * Returns the integral from 1 to x of the hat function, an upper bound of the
 * probabilities: (x^(1-exponent) - 1) / (1-exponent).
 */
static double
area(const struct zipf *z, double x)
{
	double l = log(x);

	return expm1_over((1 - z->exponent) * l) * l;
}

static double
area_inverse(const struct zipf *z, double a)
{
	double t = a * (1 - z->exponent);

	/*
	 * Rounding can make t less than -1, for which the logarithm is not
	 * defined.
	 */
	return exp(log1p_over(t < -1 ? -1 : t) * a);
}

void
zipf_init(struct zipf *z, double exponent, uint64_t n)
{
	z->exponent = exponent;
	z->n = (double)n;
	z->low = area(z, 1.5) - 1;
	z->high = area(z, z->n + 0.5);
	z->sure = 2 - area_inverse(z, area(z, 2.5) - hat(z, 2));
}

uint64_t
zipf_next(const struct zipf *z, struct random *r)
{
	double a, x, k;

	do {
		a = z->high + random_unit(r) * (z->low - z->high);
		x = area_inverse(z, a);
		k = floor(x + 0.5);
		if (k < 1)
			k = 1;
		else if (k > z->n)
			k = z->n;
	} while (k - x > z->sure && a < area(z, k + 0.5) - hat(z, k));
	return (uint64_t)k;
}
