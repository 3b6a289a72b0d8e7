#ifndef HP_PROFILE_PROFILE_H
#define HP_PROFILE_PROFILE_H

/*
 * Measures how long a piece of work takes as a function of its size, at sizes
 * given or chosen.  What the work is it does not know.
 */

#include <stdbool.h>

#include "base/err.h"
#include "profile/sample.h"

/*
 * One run with n items: 1 and its time; 0, and how, when the work fails at this
 * size; PROFILE_UNTRIED, and why, when there cannot be so many items to work
 * on; -1 when it could not be tried at all.
 */
#define PROFILE_UNTRIED 2

typedef int
profile_run(void *context, uint64_t n, double *seconds, struct hp_err *);

struct profile_opts {
	profile_run *run;
	void *context;
	/* Called before each run with the time spent so far; may be NULL. */
	void (*progress)(
	    void *context, uint64_t n, unsigned run, double spent_s);
	double (*now_s)(void *context); /* NULL: the machine's clock */
	const uint64_t *size; /* to measure these, ascending; NULL: choose */
	size_t nsizes;
	uint64_t from;	  /* the first size; 0: choose */
	uint64_t to;	  /* the last size; 0: as far as the time goes */
	bool whole;	  /* up to the last size however long it takes */
	double seconds;	  /* to spend, more or less */
	double precision; /* of the mean, as a fraction */
	unsigned runs;	  /* at most so many of a size; 0: PROFILE_RUNS */
	size_t points;	  /* at most as many sizes when chosen */
};

/* The most runs of a size. */
#define PROFILE_RUNS 40
/* Sizes of a smaller ratio are not told apart: so well a cliff is known. */
#define PROFILE_NARROW 1.05

struct profile {
	struct sample *sample; /* ascending in n */
	size_t n;
	uint64_t failed;  /* the least size at which the work fails, or 0 */
	char how[64];	  /* it fails there */
	uint64_t untried; /* the least size that there cannot be, or 0 */
};

/*
 * Each size is run at least three times, or as often as is allowed, until the
 * confidence interval of the mean is within the precision or a limit on runs or
 * time is reached.
 *
 * Sizes are chosen in two steps.  First each is four times the one before, from
 * one that takes long enough to be measured to the last that the time allows.
 * Then the piece of the curve that is least certain is halved, again and again,
 * as in the procedure of Lastovetsky, Reddy and Higgins 2006: the one across
 * which the speed changes most, unless the last point within was on the
 * straight line already.  It ends when no piece leaves more than twice the
 * precision open.  So points gather at a cliff until it is known to 5 % of its
 * size.
 *
 * Time that is left then goes to more runs of the size whose mean is least
 * certain, until all are within the precision.
 *
 * Where a mean is below that of a smaller size, but within what the runs differ
 * by, the two are pooled, so that noise does not make the time fall.
 *
 * A failure at a size ends the way upwards; below it the limit is narrowed like
 * a cliff.  So does a size that there cannot be, but that is no limit of the
 * work.
 */
int
profile_measure(const struct profile_opts *, struct profile *, struct hp_err *);
void profile_fini(struct profile *);

#endif
