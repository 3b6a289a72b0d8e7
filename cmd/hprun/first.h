#ifndef HP_CMD_HPRUN_FIRST_H
#define HP_CMD_HPRUN_FIRST_H

/*
 * Stages of the methods that sort first (exact, psrs).  Each node sorts its
 * part into a run, cuts the run by binary search, and merges what it receives.
 */

#include "run.h"

int sort_runs(struct run *, struct hp_err *);

enum sample_from {
	SAMPLE_PLAN,	/* regular samples, spaced by the plan's shares */
	SAMPLE_SUBLISTS /* new candidates near the current pivots */
};
/* Writes the launcher's files candidates.R. */
int sample_runs(struct run *, enum sample_from, struct hp_err *);
/* Concatenates the candidates as probes.jsonl. */
int join_candidates(struct run *, struct hp_err *);
int count_runs(struct run *, struct hp_err *);

/* Cut, exchange, merge. */
int merge_runs(struct run *, struct hp_err *);

#endif
