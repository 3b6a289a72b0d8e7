#ifndef HP_BUCKET_DIVISION_H
#define HP_BUCKET_DIVISION_H

/*
 * How elements are divided into buckets: all of the input, or those of a bucket
 * that is too large.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "kernel/brief.h"
#include "kernel/entry.h"
#include "kernel/tree.h"

struct division {
	struct tree tree;    /* finds the bucket of a key */
	unsigned stage;	     /* of the bytes that the tree looks at (entry.h) */
	struct span prefix;  /* of lines: what all begin with, before these */
	size_t n;	     /* buckets */
	struct brief *brief; /* for the keys of each bucket, or NULL */
};

/* Completes a division whose tree is made.  briefs: its elements are brief.
 * flip: as tree_init had it. */
int division_init(struct division *, bool briefs, bool flip, struct hp_err *);
void division_fini(struct division *);

#endif
