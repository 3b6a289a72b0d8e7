#ifndef HP_BUCKET_DIVISION_H
#define HP_BUCKET_DIVISION_H

/*
 * A division distributes elements (the items that stand for records) over
 * buckets: either all elements of the input, or the elements of one bucket that
 * is too large.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "kernel/brief.h"
#include "kernel/entry.h"
#include "kernel/tree.h"

struct division {
	struct tree tree; /* finds the bucket of a key */
	/*
	 * What the search in `tree` compares. 0: the primary key. 1: the whole
	 * record.
	 */
	unsigned stage;
	/*
	 * for lines only: the prefix that all these lines share; `tree`
	 * compares the bytes that follow it
	 */
	struct span prefix;
	size_t n;	     /* number of buckets */
	struct brief *brief; /* one per bucket, or NULL */
};

/*
 * Completes a division whose tree has been built. `briefs` tells whether the
 * elements are 8-byte numbers (briefs.h). `flip` tells whether the order is
 * descending.
 */
int division_init(struct division *, bool briefs, bool flip, struct hp_err *);
void division_fini(struct division *);

#endif
