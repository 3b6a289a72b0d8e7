#ifndef HP_CMD_HPRUN_TRIAL_RUN_H
#define HP_CMD_HPRUN_TRIAL_RUN_H

/*
 * Runs hprun once more, for a trial (trial.h): with new logins, as a real run
 * has them.  Connections that have carried data are faster than new ones.
 */

#include "run.h"
#include "share/fit.h"

struct trial_run {
	const char *cluster; /* cluster file, in the work directory */
	const char *input;
	const char *without; /* a node that is left out; NULL: none */
	bool range;	     /* by the method range */
	/*
	 * Results.  In fit.node, only the members `rest` are set.  With range,
	 * fit.gather is the time from the division of the input to the end of
	 * all sorts.
	 */
	struct fit_times fit;
	uint64_t *n; /* records of each node, by rank */
	/*
	 * begin_s and finish_s of hp-cluster(5).  If `batched` is set, they are
	 * batch_begin_s and batch_finish_s.
	 */
	double begin_s, finish_s;
	/* Results with range. */
	double divide_s; /* time in which the input was divided */
	bool batched;	 /* the nodes got their records in batches */
};

/*
 * Does the run, and stores its times.  Nodes without a share are left out.
 * `fit.node` and `n` are the caller's arrays.
 */
int trial_run(struct run *, struct trial_run *, struct hp_err *);

/* Returns the median of n > 0 times, which it sorts. */
double trial_median(double *seconds, size_t n);

/* Pauses before a part of a trial, unless --profile is short. */
int trial_pause(struct run *, struct hp_err *);

/*
 * `hprun --do trial FILE COMMAND...` executes the command, which is the hprun
 * of a trial.  Its standard error goes to FILE.
 */
int trial_do(char *words[], struct hp_err *e);

#endif
