#ifndef HP_RUN_DIVIDE_H
#define HP_RUN_DIVIDE_H

/*
 * A merge by several threads: sorted runs are cut at the same keys, and the
 * pieces between two cuts are merged by themselves.  Where the size of the
 * result is known beforehand, to their places in the output, all at once; else
 * each into memory until it is its turn.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "run/cuts.h"
#include "run/merge.h"
#include "run/output.h"

enum {
	DIVIDE_LEAST = 1 << 23 /* bytes; less is not worth the threads */
};

/*
 * Merge n runs into an output, from its place `at` on, which moves behind them;
 * equal records in the order of the runs, with an order's -u only the first.
 * memory is for all buffers.  HP_INPUT if a run is not sorted, it takes merge()
 * to say where; or if its records are so long that it is faster not to divide.
 * MERGE_FULL: there are longer ones after all, for which there is no room in
 * all threads at once.
 */
int merge_divided(const struct view *, struct store *,
    const struct extent_run *, size_t n, unsigned threads, uint64_t memory,
    struct output *, struct merged *, struct hp_err *);

#endif
