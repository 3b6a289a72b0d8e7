#ifndef HP_BUCKET_DIVISION_H
#define HP_BUCKET_DIVISION_H

/*
 * Divides elements into buckets: all elements of the input, or those of one
 * bucket that is too large.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "kernel/brief.h"
#include "kernel/entry.h"
#include "kernel/tree.h"

struct division {
	struct tree tree; /* finds the bucket of a key */
	/* the tree compares bytes of this stage of the key (entry.h) */
	unsigned stage;
	/*
	 * for lines only: the prefix that all lines share; the tree compares
	 * the bytes after it
	 */
	struct span prefix;
	size_t n;	     /* number of buckets */
	struct brief *brief; /* one per bucket, or NULL */
};

/*
 * Completes a division whose tree is built. briefs: whether the elements are
 * brief. flip: as for tree_init.
 */
int division_init(struct division *, bool briefs, bool flip, struct hp_err *);
void division_fini(struct division *);

#endif
