#ifndef HP_CMD_HPRUN_FIRST_H
#define HP_CMD_HPRUN_FIRST_H

/*
 * Stages of the methods that sort first (exact, psrs).  Each node sorts its
 * part of the input into one sorted file, cuts this file by binary search, and
 * merges the records that it receives.
 */

#include "run.h"

#define ALL_NODES SIZE_MAX

int sort_runs(struct run *, struct hp_err *);
/*
 * Makes the nodes sort their planned parts of the input. `only` is the rank of
 * the only node that does so, or ALL_NODES.
 */
int sort_parts(struct run *, size_t only, struct hp_err *);

enum sample_from {
	SAMPLE_PLAN,	/* regular samples, at distances given by the plan */
	SAMPLE_SUBLISTS /* candidates near the pivots of the previous round */
};
/*
 * Takes candidates from the sorted file of each node R, into the file
 * candidates.R of the launcher.
 */
int sample_runs(struct run *, enum sample_from, struct hp_err *);
/* Concatenates the candidates of all nodes to probes.jsonl. */
int join_candidates(struct run *, struct hp_err *);
int count_runs(struct run *, struct hp_err *);

/* Cuts the sorted files, exchanges the sublists, and merges them. */
int merge_runs(struct run *, struct hp_err *);
/* Cuts the sorted file of each node at the pivots in sublists.jsonl. */
int cut_runs(struct run *, struct hp_err *);
/*
 * Makes the nodes merge what they have received. `only` is the rank of the only
 * node that does so, or ALL_NODES.
 */
int merge_parts(struct run *, size_t only, struct hp_err *);

#endif
