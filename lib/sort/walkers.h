#ifndef HP_SORT_WALKERS_H
#define HP_SORT_WALKERS_H

/*
 * Threads that process text in numbered parts, called strides (stride.h). They
 * check whether the text is already sorted, or copy it if it is.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "input/input.h"
#include "input/stride.h"
#include "kernel/entry.h"
#include "numbers/number.h"
#include "run/output.h"

enum direction {
	ORDERED_NOT,
	ORDERED_RISING,
	ORDERED_FALLING
};

/* The text to check or copy, and the order that its records should have. */
struct walk_job {
	/*
	 * converts numbers to keys; NULL: the records are compared as `view`
	 * says
	 */
	const struct number *number;
	const struct view *view;
	struct input *in;
	bool unique; /* equal records count as unordered */
	bool stable; /* equal records rule out ORDERED_FALLING */
	unsigned threads;
	size_t step;	    /* usual bytes of a stride */
	struct hp_err *err; /* one per thread */
};

struct walkers {
	const struct walk_job *job;
	enum direction how;
	struct text text;
	unsigned threads;
	size_t strides;
	_Atomic size_t next; /* number of the next stride to take */
	_Atomic uint64_t records;
	/* length in bytes of the longest record so far; 0 for numbers */
	_Atomic size_t longest;
	_Atomic bool stop; /* the text proved unordered */

	/* For copying only: */
	struct output *out;
	bool look; /* check each stride before it is written */
};

/* Prepares threads to check or copy n pieces (mapped files) of text. */
struct walkers
walkers_init(const struct walk_job *, const struct text_piece *, size_t n);

/*
 * Guesses from the first and the last record whether the records are in order
 * or in reverse order, and sets `how`. Returns false if one of the first few
 * records is not in that order.
 */
bool walkers_direction(struct walkers *);

/*
 * Returns whether the records of the stride, and the record before it, are in
 * order. Adds the number of its records to k->records.
 */
bool walkers_in_order(struct walkers *, const struct stride *);

/*
 * Call this when a stride (part of the text) is finished. Releases memory pages
 * of the mapped file that no thread needs any more: pages before the stride, or
 * after it with `backwards`. Keeps the pages near the stride, which other
 * threads may still read.
 */
void
walkers_leave(const struct walkers *, const struct stride *, bool backwards);

#endif
