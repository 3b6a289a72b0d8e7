#ifndef HP_RUN_DIVIDE_H
#define HP_RUN_DIVIDE_H

/*
 * A merge by several threads. The sorted runs are cut at the same keys, and
 * each part between two cuts is merged independently. If the size of the result
 * is known in advance, each part is written at its final offset, in any order.
 * Otherwise each part waits in memory for its turn.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "run/cuts.h"
#include "run/merge.h"
#include "run/output.h"

enum {
	DIVIDE_LEAST = 1 << 23 /* merges of fewer bytes use one thread */
};

/*
 * Merges n runs into an output, from its offset `at` on, which advances by what
 * is written. Records with equal keys keep the order of the runs; with unique
 * keys (-u), only the first is written. memory, in bytes, is for all buffers.
 *
 * Fails with HP_INPUT if a run is not sorted: merge() then reports the record.
 * Also fails with HP_INPUT if the records are so long that one thread is
 * faster. Returns MERGE_FULL if the records of all threads do not fit into
 * memory together.
 */
int merge_divided(const struct view *, struct store *,
    const struct extent_run *, size_t n, unsigned threads, uint64_t memory,
    struct output *, struct merged *, struct hp_err *);

#endif
