#ifndef HP_RUN_PASS_H
#define HP_RUN_PASS_H

/* One merge of several runs. A pass over the data consists of such merges. */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "run/output.h"
#include "run/runs.h"

/*
 * Merges n runs into an output. If the current records of all runs do not fit
 * into memory together, first merges adjacent runs into fewer runs.
 */
int pass_merge(struct runs *, struct run *, size_t n, struct output *,
    struct merged *, struct hp_err *);
/*
 * Merges n runs into one new run and frees the temporary space of the n runs.
 */
int pass_to_tape(
    struct runs *, struct run *, size_t n, struct run *merged, struct hp_err *);

/*
 * Makes one pass over the runs, in which adjacent runs are merged. The pass
 * ends early once at most w runs are left.
 */
int pass_reduce_once(
    struct runs *, struct run *, size_t *n, size_t w, struct hp_err *);
/*
 * Merges adjacent runs until at most w of the n runs are left. The remaining
 * runs are then at the start of the array.
 */
int
pass_reduce(struct runs *, struct run *, size_t *n, size_t w, struct hp_err *);

#endif
