#ifndef HP_PROFILE_MEASURE_H
#define HP_PROFILE_MEASURE_H

/*
 * Measures one size of a profile: runs the work until the mean of its times is
 * certain, and adds the sample to the profile.
 */

#include "profile/profile.h"

#define MEASURE_RUNS_LEAST 3

/* data about a sample that are needed only while measuring */
struct detail {
	/* times of the runs, in the order in which the runs were made */
	double seconds[PROFILE_RUNS];
	unsigned runs;
	/*
	 * How far the true curve probably deviates from the straight line
	 * between this sample and the next one, as a fraction. Known once a
	 * size in between has been measured. INFINITY: unknown.
	 */
	double bend;
};

struct measuring {
	const struct profile_opts *o;
	struct profile *p;
	struct detail *detail; /* [p->n]: data of each sample */
	double begin_s;
};

/* Starts the clock that measure_spent reads. */
void measure_begin(
    struct measuring *, const struct profile_opts *, struct profile *);
/* Returns the seconds since measure_begin. */
double measure_spent(const struct measuring *);
/* Returns the maximum number of runs for one size. */
unsigned measure_most_runs(const struct measuring *);

/*
 * Runs the work (the command to profile) once more with m->n items. Adds the
 * time to the sample m, the statistics for this size. Returns the same values
 * as profile_run.
 */
int measure_again(
    struct measuring *, struct sample *m, struct detail *, struct hp_err *);
/*
 * Measures the time for n items, and adds it to the profile as a sample. The
 * samples stay sorted by size. If the run fails, or no input of n items can be
 * made, records this in the profile instead. Returns the same values as
 * profile_run.
 */
int measure_and_keep(struct measuring *, uint64_t n, struct hp_err *);

#endif
