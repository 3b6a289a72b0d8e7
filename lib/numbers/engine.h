#ifndef HP_NUMBERS_ENGINE_H
#define HP_NUMBERS_ENGINE_H

/*
 * The state of the engine for numbers. Only the files of lib/numbers use it.
 *
 * A batch is sorted in two passes. In the first, all threads read the input and
 * append the key of each number to the list of its bin. The bins are ranges of
 * keys, in order. Each thread has its own lists, so a bin consists of one strip
 * per thread. In the second pass, each thread takes the next bin and sorts it
 * in the cache. It writes the bin to its place in the output while other
 * threads still sort.
 *
 * A value that fills a bin by itself is only counted. If most numbers lie in a
 * small range of values, all values of that range are counted (dense.h).
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

/* A strip is the part of a bin that one thread filled. */
struct strip {
	struct sheet *first;
	size_t n; /* numbers */
};

/*
 * A bin holds the numbers of one range of keys, in one of three forms.
 *   values == 0: a list of numbers for each thread (strip)
 *   values == 1, count == NULL: n numbers, all with the key `key`
 *   otherwise: count[i] numbers with the key `key + i`, i < values
 */
struct bin {
	struct strip *strip; /* one per thread */
	size_t n;	     /* numbers */
	size_t values;
	uint64_t key;
	const uint64_t *count;
};

struct numbers {
	struct batch batch; /* must be the first member */
	struct number number;
	struct input *in;
	bool unique; /* write each value once */
	/*
	 * Whether to compute the count and checksum of the numbers that -u
	 * omits.
	 */
	bool sum_dropped;
	unsigned threads;
	/*
	 * number of threads that write, including spare threads, which run
	 * while other threads wait for a disk
	 */
	unsigned writers;
	/* A bin with more numbers than this is divided before it is sorted. */
	size_t leaf;
	size_t part; /* target size of a bin, in numbers */
	size_t want; /* number of bins to ask for */

	struct arena arena;
	struct sheets *sheets; /* one per thread */
	struct dense dense;    /* the range of values that are counted */
	uint64_t *total;       /* how often each of these values occurs */
	/*
	 * For each thread and each value that is counted: how often the thread
	 * has found the value since add_up last updated `total`.
	 */
	uint32_t *count;
	struct cells cells; /* the bins for all other numbers */
	/* Whether the input has more numbers than fit into this batch. */
	_Atomic bool more;
	struct bin *bin;
	size_t nbins;
	struct strip **strips; /* the arrays that contain the bins' strips */
	size_t nstrips;
	struct hp_err *err; /* one per writer */
};

/* Returns how many numbers a sheet (a block of a list) can hold. */
static inline size_t
numbers_in_sheet(const struct numbers *s)
{
	return (s->sheets[0].size - offsetof(struct sheet, data)) /
	    s->number.element;
}

#endif
