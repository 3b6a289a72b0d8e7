#ifndef HP_RUN_DIVIDE_H
#define HP_RUN_DIVIDE_H

/*
 * A merge by several threads: sorted runs are cut at the same keys, so that
 * the pieces between two cuts can be merged by themselves, to a place in the
 * output that is known beforehand.
 */

#include <sys/types.h>

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/entry.h"
#include "run/merge.h"

/* A sorted run that can be read from anywhere: a file or a tape. */
struct extent_run {
	const struct tape *tape; /* or NULL, and a */
	int fd;
	uint64_t bytes;
	const char *name;
};

/*
 * Merge n runs into a seekable output, from its place `at` on, which moves
 * behind them; equal records in the order of the runs.  memory is for all
 * buffers.  The order must not have -u, whose output has an unknown size.
 * HP_INPUT if a run is not sorted, it takes merge() to say where; or if its
 * records are so long that it is faster not to divide.
 */
int merge_divided(const struct view *, struct store *,
    const struct extent_run *, size_t n, unsigned threads, uint64_t memory,
    struct output *, uint64_t *records, struct hp_err *);

#endif
