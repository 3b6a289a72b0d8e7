#ifndef HP_SORT_ORDERED_H
#define HP_SORT_ORDERED_H

/*
 * Numbers that are in order already, or in the opposite one, and mapped: they
 * are only copied.  To look costs nothing where it soon finds otherwise.
 */

#include <stdbool.h>

#include "base/err.h"
#include "sort/input.h"
#include "sort/number.h"
#include "sort/output.h"

enum ordered {
	ORDERED_NOT,
	ORDERED_RISING,
	ORDERED_FALLING
};

struct ordered_job {
	const struct number *number;
	const struct input *in; /* nothing taken from it yet */
	bool unique;		/* not ordered when two are the same */
	unsigned threads;
	struct hp_err *err; /* one for each thread */
};

/* How the input is ordered; -1 when threads cannot be started. */
int ordered_look(const struct ordered_job *, struct hp_err *);

/* Write it in rising order. */
int ordered_write(
    const struct ordered_job *, enum ordered, struct output *, struct hp_err *);

#endif
