#ifndef HP_CMD_HPRUN_FIRST_H
#define HP_CMD_HPRUN_FIRST_H

/*
 * The stages of the methods that sort first: each node has a sorted run, which
 * is cut by binary search; what arrives is merged.
 */

#include "run.h"

int sort_runs(struct run *, struct hp_err *);

enum sample_from {
	SAMPLE_PLAN,	/* regular samples, for the shares of the plan */
	SAMPLE_SUBLISTS /* new candidates around the pivots so far */
};
/* The launcher's files candidates.R. */
int sample_runs(struct run *, enum sample_from, struct hp_err *);
/* Joins these as probes.jsonl, which count_runs counts in every run. */
int join_candidates(struct run *, struct hp_err *);
int count_runs(struct run *, struct hp_err *);

/* Cut, exchange, merge. */
int merge_runs(struct run *, struct hp_err *);

#endif
