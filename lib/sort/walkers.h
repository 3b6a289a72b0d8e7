#ifndef HP_SORT_WALKERS_H
#define HP_SORT_WALKERS_H

/*
 * Threads that process text in strides (stride.h), to check its order or to
 * copy it.
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

/* The text, and the order in which it should be. */
struct walk_job {
	/* converts numbers to keys; NULL: `view` compares the records */
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
	_Atomic size_t longest; /* bytes of the longest record; 0 for numbers */
	_Atomic bool stop;	/* the text proved unordered */

	/* For copying only: */
	struct output *out;
	bool look; /* check each stride before it is written */
};

/* Prepares a walk over n pieces of text. */
struct walkers
walkers_init(const struct walk_job *, const struct piece *, size_t n);

/*
 * Sets `how`, the direction of the order, from the first and the last record of
 * the text. Returns false if the first few records contradict it.
 */
bool walkers_direction(struct walkers *);

/*
 * Returns whether the records of the stride are in order, after the record
 * before it. Counts the records.
 */
bool walkers_in_order(struct walkers *, const struct stride *);

/*
 * Unmaps the pages of a finished stride. A page fault may map pages around it.
 * So this also unmaps the pages before the stride (after it if `backwards` is
 * set), except those that another thread may still read.
 */
void
walkers_leave(const struct walkers *, const struct stride *, bool backwards);

#endif
