#ifndef HP_RUN_POLYPHASE_H
#define HP_RUN_POLYPHASE_H

/*
 * Polyphase merging after Knuth vol. 3, 5.4.2, Algorithm D: runs lie on all
 * tapes but one, in generalized Fibonacci numbers that dummy runs make perfect;
 * merging goes to the free tape until another one is empty, which is the next
 * to be written.  With t tapes t - 1 runs are merged at a time, and no run is
 * read only to be distributed again.
 *
 * This is the plan: who is merged with whom, when.  Which run lies where is
 * free to choose, so each merge is given runs that are neighbours in the input:
 * then equal records can stay in its order, which on real tapes is lost.
 */

#include <stddef.h>

#include "base/err.h"

enum {
	POLYPHASE_TAPES = 15 /* as in the papers */
};

/* The ways to merge many runs. */
enum merge_way {
	MERGE_KWAY, /* neighbours in turn, as many at once as can be */
	MERGE_POLYPHASE
};

struct polyphase_merge {
	size_t first, n; /* of its inputs among input[] */
};

struct polyphase {
	size_t runs, tapes, phases;
	size_t *perfect, *dummies;     /* at first, on each of the tapes */
	struct polyphase_merge *merge; /* in this order */
	size_t nmerges;
	/* Below runs, the run with this number in the input; from there on the
	 * result of merge[input - runs].  In the order of the input. */
	size_t *input;
};

/* At least 3 tapes.  O(runs) time and memory. */
int
polyphase_plan(struct polyphase *, size_t runs, size_t tapes, struct hp_err *);
void polyphase_fini(struct polyphase *);

#endif
