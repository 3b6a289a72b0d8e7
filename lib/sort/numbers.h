#ifndef HP_SORT_NUMBERS_H
#define HP_SORT_NUMBERS_H

/*
 * Sorting as many numbers as fit into memory at once: all of the input, or one
 * run of an external sort.
 *
 * One pass over the input distributes their keys over bins in key order, all
 * threads at once; of a value that fills a bin by itself only the count is
 * kept.  Then each thread takes the next bin, sorts it in the cache and writes
 * it where it belongs, while others still sort.  What is in order already is
 * copied, and numbers of 1 or 2 bytes are only counted.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "record/order.h"
#include "sort/input.h"
#include "sort/number.h"
#include "sort/ordered.h"
#include "sort/output.h"
#include "sort/pile.h"
#include "sort/scatter.h"
#include "sort/cells.h"

struct strip { /* one thread's part of a bin */
	struct sheet *first;
	size_t n;
};

struct bin {
	struct strip *strip; /* one for each thread */
	size_t n;	     /* numbers */
	bool equal;	     /* all the same, not in the strips: */
	uint64_t key;
};

struct numbers {
	struct number number;
	struct input *in;
	bool unique;
	unsigned threads;
	unsigned writers; /* threads, with those that wait for a disk */
	size_t leaf;	  /* most numbers that are sorted at once */
	size_t part;	  /* numbers that a bin should have */
	size_t want;	  /* bins */

	struct arena arena;
	struct sheets *sheets; /* one for each thread */
	struct cells cells;
	bool planned;
	enum ordered ordered; /* nothing was distributed */
	struct bin *bin;
	size_t nbins;
	struct strip **strips; /* what the bins' strips point into */
	size_t nstrips;
	struct hp_err *err; /* one for each writer */

	uint64_t records, bytes; /* in the batch */
};

/*
 * memory is what the batch may take, input included.  The input must be open
 * and stay so.
 */
int numbers_init(struct numbers *, const struct order *, struct input *,
    unsigned threads, uint64_t memory, struct hp_err *);
void numbers_fini(struct numbers *);

/* Read and distribute: 1 when the memory is full, 0 at the end, -1. */
int numbers_read(struct numbers *, struct hp_err *);

/* Sort, write and forget.  *records: how many were written, fewer with -u. */
int numbers_write(
    struct numbers *, struct output *, uint64_t *records, struct hp_err *);

#endif
