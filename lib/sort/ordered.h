#ifndef HP_SORT_ORDERED_H
#define HP_SORT_ORDERED_H

/*
 * Input that is in order already, or in the opposite one, and mapped: it is
 * only copied.  To look costs nothing where it soon finds otherwise, and a pass
 * over the input by all threads at worst.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/entry.h"
#include "kernel/number.h"
#include "run/output.h"
#include "sort/input.h"

enum ordered {
	ORDERED_NOT,
	ORDERED_RISING,
	ORDERED_FALLING
};

struct ordered_job {
	const struct number *number; /* or NULL, for records of a view */
	const struct view *view;
	const struct input *in; /* nothing taken from it yet */
	bool unique;		/* not ordered when two are the same */
	bool stable;		/* not falling when two are the same */
	unsigned threads;
	size_t step;	    /* bytes that a thread writes at once, mostly */
	struct hp_err *err; /* one for each thread */
};

/* How the input is ordered, and how many records it has if it is; -1 when
 * threads cannot be started. */
int
ordered_look(const struct ordered_job *, uint64_t *records, struct hp_err *);

/* Write it in rising order.  Backwards, a thread takes two steps of memory. */
int ordered_write(
    const struct ordered_job *, enum ordered, struct output *, struct hp_err *);

#endif
