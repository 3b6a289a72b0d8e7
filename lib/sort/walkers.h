#ifndef HP_SORT_WALKERS_H
#define HP_SORT_WALKERS_H

/*
 * Threads that walk over text in strides (stride.h), to see whether it is in
 * order or to copy it.
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

/* What to walk over, and the order that is asked for. */
struct walk_job {
	const struct number *number; /* or NULL, for records of a view */
	const struct view *view;
	struct input *in;
	bool unique; /* not ordered if two records are equal */
	bool stable; /* not falling if two records are equal */
	unsigned threads;
	size_t step;	    /* bytes that a thread takes at once, mostly */
	struct hp_err *err; /* one for each thread */
};

struct walkers {
	const struct walk_job *job;
	enum direction how;
	struct text text;
	unsigned threads;
	size_t strides;
	_Atomic size_t next; /* the stride that a thread takes next */
	_Atomic uint64_t records;
	_Atomic size_t longest; /* bytes of a record; 0 for numbers */
	_Atomic bool stop;	/* the text is not ordered */

	/* Only to copy. */
	struct output *out;
	bool look; /* at each stride before it is written */
};

/* Begins a walk over n pieces of text. */
struct walkers
walkers_init(const struct walk_job *, const struct piece *, size_t n);

/*
 * Sets `how` by the first and the last record of the text.  Returns false if
 * the first few records contradict that.
 */
bool walkers_direction(struct walkers *);

/* Is the stride in order, with the record before it?  Adds its records to the
 * sums. */
bool walkers_in_order(struct walkers *, const struct stride *);

/*
 * Unmaps the pages of a stride that was walked over.  A fault maps more than
 * one page; so those before the stride are unmapped again (behind it, if the
 * walk goes backwards), and those that another thread may be reading are not.
 */
void
walkers_leave(const struct walkers *, const struct stride *, bool backwards);

#endif
