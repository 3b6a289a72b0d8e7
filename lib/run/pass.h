#ifndef HP_RUN_PASS_H
#define HP_RUN_PASS_H

/*
 * One merge of some runs; those of a pass follow each other.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "run/output.h"
#include "run/runs.h"

enum {
	RUNS_BUFFER_LEAST = 1 << 16, /* of a run, for all threads, */
	RUNS_BUFFER_THREAD = 1 << 14 /* and for each of several */
};

/*
 * Merge n runs into an output.  Where their next records do not fit into memory
 * neighbours become one run before it goes on.
 */
int pass_merge(struct runs *, struct run *, size_t n, struct output *,
    struct merged *, struct hp_err *);
/* Merge n runs into a new one; their tapes are released. */
int pass_to_tape(
    struct runs *, struct run *, size_t n, struct run *merged, struct hp_err *);

/* Neighbours of n runs become one until at most w are left, in the first
 * places. */
int
runs_narrow(struct runs *, struct run *, size_t *n, size_t w, struct hp_err *);
/* What the longest records of a source may take: it has two of them in its
 * buffer, and perhaps their keys. */
uint64_t runs_two_records(const struct runs *);

#endif
