#ifndef HP_NUMBERS_ENGINE_H
#define HP_NUMBERS_ENGINE_H

/*
 * The state of the engine for numbers, which only the files of lib/numbers use.
 *
 * A batch is sorted in two passes.  First all threads read the input and append
 * the key of each number to the list of its bin; the bins are ranges of keys,
 * in order.  Each thread has lists of its own, so a bin consists of one strip
 * for each thread.  Then each thread takes the next bin, sorts it in the cache
 * and writes it at its place in the output, while others still sort.
 *
 * A value that fills a bin by itself is only counted.  If most numbers lie in a
 * small range of values, all values of the range are counted (dense.h).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "input/input.h"
#include "kernel/pile.h"
#include "numbers/cells.h"
#include "numbers/dense.h"
#include "numbers/number.h"
#include "numbers/scatter.h"
#include "run/batch.h"

/* One thread's part of a bin. */
struct strip {
	struct sheet *first;
	size_t n; /* numbers */
};

/*
 * A range of keys.  Its numbers are in the strips if values is 0.  Else they
 * were counted: count[i] numbers have the key `key + i`, for i below values. If
 * count is NULL, values is 1 and all n numbers have this key.
 */
struct bin {
	struct strip *strip; /* one for each thread */
	size_t n;	     /* numbers */
	size_t values;
	uint64_t key;
	const uint64_t *count;
};

struct numbers {
	struct batch batch; /* first */
	struct number number;
	struct input *in;
	bool unique;	  /* write each value once */
	bool sum_dropped; /* sum up the numbers that this leaves out */
	unsigned threads;
	unsigned writers; /* threads, and spare ones for while a disk is slow */
	size_t leaf;	  /* numbers that one thread sorts at once, at most */
	size_t part;	  /* numbers that a bin should have */
	size_t want;	  /* bins */

	struct arena arena;
	struct sheets *sheets; /* one for each thread */
	struct dense dense;    /* the values that are counted */
	uint64_t *total;       /* how often each of them occurs */
	uint32_t *count;       /* the same, of each thread since the last sum */
	struct cells cells;    /* the bins of all other numbers */
	_Atomic bool more; /* the input has more than fits into this batch */
	struct bin *bin;
	size_t nbins;
	struct strip **strips; /* the arrays that the bins' strips lie in */
	size_t nstrips;
	struct hp_err *err; /* one for each writer */
};

/* How many numbers fit into a sheet. */
static inline size_t
numbers_in_sheet(const struct numbers *s)
{
	return (s->sheets[0].size - offsetof(struct sheet, data)) /
	    s->number.element;
}

#endif
