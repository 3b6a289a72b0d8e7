#ifndef HP_PROFILE_PROFILE_H
#define HP_PROFILE_PROFILE_H

/*
 * Measures the time of some work as a function of its size, at given or chosen
 * sizes. The caller supplies the work as a function.
 */

#include <stdbool.h>

#include "base/err.h"
#include "profile/sample.h"

/*
 * Runs the work once with n items. Returns 1 and the time. Returns 0 with a
 * message if the work fails at this size. Returns PROFILE_UNTRIED with a
 * message if no input of this size can be made. Returns -1 if the work could
 * not be run at all.
 */
#define PROFILE_UNTRIED 2

typedef int
profile_run(void *context, uint64_t n, double *seconds, struct hp_err *);

struct profile_opts {
	profile_run *run;
	void *context;
	/*
	 * The function to call before each run, with the seconds spent so far;
	 * NULL: none.
	 */
	void (*progress)(
	    void *context, uint64_t n, unsigned run, double spent_s);
	/* clock; NULL: the system's monotonic clock. */
	double (*now_s)(void *context);
	const uint64_t *size; /* sizes to measure, ascending; NULL: choose */
	size_t nsizes;
	uint64_t from; /* first size; 0: choose */
	/* largest size to measure; 0: as large as the time limit allows */
	uint64_t to;
	bool whole; /* ignore the time limit until the last size is measured */
	double seconds; /* time to spend, approximately */
	/*
	 * Wanted half-width of the confidence interval, as a fraction of the
	 * mean.
	 */
	double precision;
	unsigned runs; /* maximum of runs per size; 0: PROFILE_RUNS */
	size_t points; /* maximum number of chosen sizes */
};

/* Maximum number of runs of one size. */
#define PROFILE_RUNS 40
/*
 * Minimum ratio of two neighbouring sizes. A cliff, that is, a sudden rise of
 * the time, is located with this precision.
 */
#define PROFILE_NARROW 1.05

struct profile {
	struct sample *sample; /* ascending in n */
	size_t n;
	uint64_t failed; /* smallest size at which the work fails; 0: none */
	char how[64];	 /* message of that failure */
	/* smallest size for which no input can be made; 0: none */
	uint64_t untried;
};

/*
 * Measures the work at several sizes. Each size is run at least three times, if
 * opts.runs allows it. Runs end when the confidence interval of the mean is
 * within the precision or a limit on runs or time is reached.
 *
 * Sizes are chosen in two steps. In the first step, each size is four times the
 * previous one. It starts with a size that takes long enough to be measured and
 * ends with the last that the time allows. The second step repeatedly halves
 * the interval of the curve that is least certain, as in the procedure of
 * Lastovetsky, Reddy and Higgins 2006. That is the interval across which the
 * speed changes most, unless its last inner point was on the straight line
 * already. The step ends when no interval is uncertain by more than twice the
 * precision. So points gather at a cliff until it is located to 5% of its size.
 *
 * The remaining time is spent on more runs of the size with the least certain
 * mean, until all are within the precision.
 *
 * If the mean time of a size is below that of a smaller size, but within the
 * spread of their runs, the two are pooled: noise must not make the time fall.
 *
 * A failure at a size ends the first step, and the limit below it is narrowed
 * like a cliff. A size without input ends it, too, but is no limit of the work.
 */
int
profile_measure(const struct profile_opts *, struct profile *, struct hp_err *);
void profile_fini(struct profile *);

#endif
