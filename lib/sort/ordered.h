#ifndef HP_SORT_ORDERED_H
#define HP_SORT_ORDERED_H

/*
 * Input that is in order already, or in the opposite one, is only copied: all
 * of it where it is mapped, else what fits into memory.  To look costs nothing
 * where it soon finds otherwise, and a pass over the input by all threads at
 * worst, or a copy.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "input/input.h"
#include "kernel/entry.h"
#include "numbers/number.h"
#include "run/output.h"

enum direction {
	ORDERED_NOT,
	ORDERED_RISING,
	ORDERED_FALLING
};

struct ordered_job {
	const struct number *number; /* or NULL, for records of a view */
	const struct view *view;
	struct input *in;
	struct arena *arena; /* that is not in use, or NULL */
	bool unique;	     /* not ordered when two are the same */
	bool stable;	     /* not falling when two are the same */
	unsigned threads;
	size_t step;	    /* bytes that a thread writes at once, mostly */
	struct hp_err *err; /* one for each thread */
};

struct ordered {
	enum direction how;
	struct piece text; /* where it was read, not mapped */
	uint64_t records, bytes;
	size_t longest; /* record, where they are not numbers */
	bool more;	/* behind it */
};

/*
 * Is the input ordered, whole records from the next one on, at most `most`
 * bytes?  1 when so.  What is mapped was looked at by ordered_copy: 0.
 */
int ordered_look(
    const struct ordered_job *, size_t most, struct ordered *, struct hp_err *);

/* Write it in rising order; what was read is done with.  Backwards, a thread
 * takes two steps of memory. */
int ordered_write(const struct ordered_job *, struct ordered *, struct output *,
    struct hp_err *);

/*
 * Both at once, of mapped input that takes no memory: one pass where that can
 * be.  0 when it is not ordered; then the output's `at` is where it was, and
 * what was written is for the caller to write over, as much or more.
 */
int ordered_copy(const struct ordered_job *, struct output *, uint64_t *records,
    struct hp_err *);

#endif
