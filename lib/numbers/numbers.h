#ifndef HP_NUMBERS_NUMBERS_H
#define HP_NUMBERS_NUMBERS_H

/*
 * Sorting as many numbers as fit into memory at once: all of the input, or one
 * run of an external sort.
 *
 * One pass over the input distributes their keys over bins in key order, all
 * threads at once; of a value that fills a bin by itself only the count is
 * kept.  Then each thread takes the next bin, sorts it in the cache and writes
 * it where it belongs, while others still sort.  What is in order already is
 * copied, and where there are few values for as many numbers, as of 1 or 2
 * bytes, they are only counted.
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
#include "record/order.h"
#include "run/batch.h"

struct strip { /* one thread's part of a bin */
	struct sheet *first;
	size_t n;
};

struct bin {
	struct strip *strip;   /* one for each thread */
	size_t n;	       /* numbers */
	size_t values;	       /* 0, or it is not in the strips, but so many */
	uint64_t key;	       /* values from this one on, */
	const uint64_t *count; /* and how often each; NULL: n times one */
};

struct numbers {
	struct batch batch; /* first */
	struct number number;
	struct input *in;
	bool unique;
	bool sum_dropped; /* what that leaves out */
	unsigned threads;
	unsigned writers; /* threads, with those that wait for a disk */
	size_t leaf;	  /* most numbers that are sorted at once */
	size_t part;	  /* numbers that a bin should have */
	size_t want;	  /* bins */

	struct arena arena;
	struct sheets *sheets; /* one for each thread */
	struct dense dense;    /* values that are counted */
	uint64_t *total;       /* of each, */
	uint32_t *count;       /* and for each thread */
	struct cells cells;    /* of what is distributed */
	_Atomic bool more;     /* than fits into this batch */
	struct bin *bin;
	size_t nbins;
	struct strip **strips; /* what the bins' strips point into */
	size_t nstrips;
	struct hp_err *err; /* one for each writer */
};

/*
 * The engine for numbers; the order's format is FORMAT_NUMBER.  memory: bytes
 * that a batch may take, with its part of the input.  The input stays open as
 * long as the engine exists.  Returns NULL on failure.
 */
struct batch *numbers_new(const struct order *, struct input *,
    unsigned threads, uint64_t memory, struct hp_err *);

/* Between the files of this: numbers.c, */
/* the first error of any thread; -1; */
int numbers_error(const struct numbers *, struct hp_err *);
int numbers_no_memory(struct numbers *, unsigned thread);
/* a phase; */
int numbers_team(struct numbers *, int (*work)(void *, unsigned), void *ctx,
    struct hp_err *);
/* in such a phase, all blocks of the input until the memory is full or `take`
 * returns 1: then s->more says that there are others. */
int numbers_blocks(struct numbers *, unsigned thread,
    int (*take)(void *ctx, unsigned thread, const struct block *), void *ctx);

/* tally.c: are there many numbers of few values?  The sample is sorted; many:
 * numbers that are expected.  Then read, as numbers_read, and count. */
int numbers_tally_plan(struct numbers *, uint64_t *sample, size_t n,
    uint64_t many, struct hp_err *);
int numbers_tally(struct numbers *, struct hp_err *);
void numbers_tally_forget(struct numbers *);
void numbers_tally_fini(struct numbers *);

/* bins.c: lists for each thread; */
struct scatter *
numbers_scatters_new(struct numbers *, const struct cells *, struct hp_err *);
void numbers_scatters_free(const struct numbers *, struct scatter *);
/* all numbers are there; */
int numbers_scatters_close(struct numbers *, struct scatter *, struct hp_err *);
/* bins of what the threads scattered over the cells, in order, and at last of
 * what numbers_tally put beside them; */
int numbers_bins(struct numbers *, const struct scatter *, const struct cells *,
    struct bin *out, struct hp_err *);
/* cut up those that are too large to be sorted at once; */
int numbers_split(struct numbers *, struct hp_err *);
void numbers_forget(struct numbers *);

/* leaves.c: sum up n numbers of that key, which are not written. */
void numbers_drop(
    const struct numbers *, struct dropped *, uint64_t key, uint64_t n);
/* sort each bin and write it. */
int numbers_emit(
    struct numbers *, struct output *, uint64_t *records, struct hp_err *);

/* Buffers of what was sorted, so that nobody waits for one while another thread
 * writes. */
static inline size_t
numbers_buffers(unsigned threads)
{
	return threads == 1 ? 1 : threads + 2;
}

/* How many fit into a sheet. */
static inline size_t
numbers_in_sheet(const struct numbers *s)
{
	return (s->sheets[0].size - offsetof(struct sheet, data)) /
	    s->number.element;
}

#endif
