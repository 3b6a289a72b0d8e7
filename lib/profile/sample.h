#ifndef HP_PROFILE_SAMPLE_H
#define HP_PROFILE_SAMPLE_H

/*
 * The time of one size from the times of several runs.
 */

#include <stddef.h>
#include <stdint.h>

struct sample {
	uint64_t n;	/* items */
	double seconds; /* mean of the runs that count */
	double low;	/* the fastest and the slowest of them */
	double high;
	uint32_t runs;	 /* how many they are */
	double interval; /* half the confidence interval of the mean */
};

/*
 * Sums up n >= 1 times, which it sorts.  Something else that runs meanwhile
 * can only slow a run down: times above the median by more than three standard
 * deviations, estimated from the median of the absolute deviations (Hampel
 * 1974), do not count.  The interval is Student's at 95 %, infinite for one
 * run.
 */
void sample_of(double *seconds, size_t n, struct sample *);

#endif
