#ifndef HP_RUN_POLYPHASE_H
#define HP_RUN_POLYPHASE_H

/*
 * Polyphase merging (Knuth vol. 3, 5.4.2, Algorithm D). Runs lie on all tapes
 * but one, in generalized Fibonacci numbers, completed by dummy runs. Merges
 * write to the free tape until another tape is empty, which then becomes the
 * free one. With t tapes, t - 1 runs are merged at a time, and no run is
 * copied.
 *
 * This module only computes the plan: which runs are merged, and when. Each
 * merge gets runs that are adjacent in the input, so that equal records keep
 * the input order. On real tapes that order is lost.
 */

#include <stddef.h>

#include "base/err.h"

enum {
	POLYPHASE_TAPES = 15 /* as in the literature */
};

/* Strategies to merge many runs. */
enum merge_way {
	/* merge adjacent runs, as many as possible at the same time */
	MERGE_KWAY,
	MERGE_POLYPHASE
};

struct polyphase_merge {
	size_t first, n; /* a range of input[] */
};

struct polyphase {
	size_t runs, tapes, phases;
	/*
	 * perfect[i] is the number of runs on tape i before the first merge.
	 * This number includes dummies[i] dummy runs, which stand for missing
	 * runs.
	 */
	size_t *perfect, *dummies;
	struct polyphase_merge *merge; /* in the order of execution */
	size_t nmerges;
	/*
	 * The inputs of all merges, one merge after the other. A value below
	 * `runs` is the number of a run. A higher value v is the result of
	 * merge[v - runs]. The inputs of each merge are in input order.
	 */
	size_t *input;
};

/*
 * Plans the merges of `runs` runs with at least 3 tapes. O(runs) time and
 * memory.
 */
int
polyphase_plan(struct polyphase *, size_t runs, size_t tapes, struct hp_err *);
void polyphase_fini(struct polyphase *);

#endif
