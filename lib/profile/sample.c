#include <math.h>
#include <stdlib.h>

#include "profile/sample.h"

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(const double *sorted, size_t n)
{
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/*
 * Returns how many of the sorted times are no outliers. Only the longest times,
 * which are at the end, can be outliers.
 */
static size_t
within(const double *sorted, size_t n)
{
	double dev[n], middle = median(sorted, n), limit;

	if (n < 4)
		return n;
	for (size_t i = 0; i < n; i++)
		dev[i] = fabs(sorted[i] - middle);
	qsort(dev, n, sizeof *dev, by_size);
	/*
	 * 1.4826 converts the median absolute deviation of a normal
	 * distribution to its standard deviation.
	 */
	limit = middle + 3 * 1.4826 * median(dev, n);
	while (sorted[n - 1] > limit)
		n--;
	return n;
}

/*
 * Returns the 97.5% quantile of Student's t distribution with df degrees of
 * freedom. For df above 30 it is computed by an expansion in 1/df.
 */
static double
student(size_t df)
{
	static const double t[] = { INFINITY, 12.706, 4.303, 3.182, 2.776,
		2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
		2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074,
		2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042 };

	return df < sizeof t / sizeof t[0] ? t[df]
					   : 1.95996 + 2.3723 / (double)df;
}

void
sample_of(double *seconds, size_t n, struct sample *s)
{
	double sum = 0, squares = 0;

	qsort(seconds, n, sizeof *seconds, by_size);
	n = within(seconds, n);
	for (size_t i = 0; i < n; i++)
		sum += seconds[i];
	/*
	 * Rounding errors must not make the mean of equal times differ from
	 * these times.
	 */
	s->seconds = fmin(fmax(sum / (double)n, seconds[0]), seconds[n - 1]);
	for (size_t i = 0; i < n; i++) {
		double d = seconds[i] - s->seconds;

		squares += d * d;
	}
	s->low = seconds[0];
	s->high = seconds[n - 1];
	s->runs = (uint32_t)n;
	s->interval = n < 2
	    ? INFINITY
	    : student(n - 1) * sqrt(squares / (double)(n - 1) / (double)n);
}
