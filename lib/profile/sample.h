#ifndef HP_PROFILE_SAMPLE_H
#define HP_PROFILE_SAMPLE_H

/* Statistics of several runs of one size. */

#include <stddef.h>
#include <stdint.h>

struct sample {
	uint64_t n;	/* items */
	double seconds; /* mean of the runs without outliers */
	double low;	/* fastest and slowest of these runs */
	double high;
	uint32_t runs;	 /* number of these runs */
	double interval; /* half the confidence interval of the mean */
};

/*
 * Computes the statistics of n >= 1 times, and sorts the times. Other work on
 * the machine can only slow a run down, so only slow runs are outliers. A run
 * is an outlier if its time exceeds the median by more than three standard
 * deviations. The deviation is estimated from the median absolute deviation
 * (Hampel 1974). The interval is Student's at 95%, and infinite for one run.
 */
void sample_of(double *seconds, size_t n, struct sample *);

/* Returns items per second. */
static inline double
sample_speed(const struct sample *m)
{
	return (double)m->n / m->seconds;
}

#endif
