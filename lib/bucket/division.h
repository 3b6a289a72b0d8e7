#ifndef HP_BUCKET_DIVISION_H
#define HP_BUCKET_DIVISION_H

/*
 * Divides elements into buckets: those of the whole input, or those of a bucket
 * that is too large.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "kernel/brief.h"
#include "kernel/entry.h"
#include "kernel/tree.h"

struct division {
	struct tree tree; /* finds the bucket of a key */
	/* stage of the bytes that the tree compares (entry.h) */
	unsigned stage;
	/*
	 * lines only: common prefix of all, before the bytes that the tree
	 * compares
	 */
	struct span prefix;
	size_t n;	     /* number of buckets */
	struct brief *brief; /* one per bucket, or NULL */
};

/*
 * Completes a division whose tree is built. briefs: the elements are brief.
 * flip: as for tree_init.
 */
int division_init(struct division *, bool briefs, bool flip, struct hp_err *);
void division_fini(struct division *);

#endif
