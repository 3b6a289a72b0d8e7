#ifndef HP_KERNEL_TREE_H
#define HP_KERNEL_TREE_H

/*
 * Distributing strings over buckets in order, even ones whatever prefixes they
 * share: a spread of 8 bytes tells where a string belongs, or, for values that
 * fill more than a bucket, which node of the tree spreads the bytes where those
 * strings differ next, past what a sample of them has in common.
 *
 * Many strings at once go down the tree side by side, by a few comparisons of 8
 * bytes at each step, without branches that depend on them (as in string sample
 * sort, Bingmann and Sanders 2013); so the processor waits for none of them.
 * That a string has what its bucket's sample had in common is seen at the end.
 *
 * Strings that are as frequent as a bucket is large have one of their own.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/entry.h"
#include "kernel/grid.h"
#include "kernel/spread.h"

enum {
	TREE_NODE = 0x8000,  /* in a target: a node, else a bucket */
	TREE_PER_BUCKET = 16 /* strings a sample should have for each bucket */
};

struct node {
	unsigned char *path; /* what strings have that get here, up to `at` */
	size_t depth;	     /* of these, what the nodes above know */
	size_t at;	     /* where the 8 bytes are that it spreads */
	struct spread spread;
	uint16_t *to; /* their targets */
	bool ends;    /* not spread: those that end there, and longer */
	uint16_t below, above; /* of those that have another path */
	uint16_t step;	       /* the same as to, by steps */
};

enum {
	STEP_WAYS = 9
};

/* As many bounds as a cache line holds. */
struct step {
	uint64_t
	    most[STEP_WAYS - 1]; /* the greatest keys of all but the last */
	uint16_t to[STEP_WAYS];	 /* steps, or buckets */
	uint32_t at;		 /* where the 8 bytes are that they are for */
};

struct leaf {
	unsigned char *path; /* what all have in common */
	size_t depth;	     /* where that ends */
	bool equal; /* they have the same 8 bytes there, zeros behind an end */
	bool ended; /* they are all the same string */
};

struct tree {
	struct node *node;
	struct leaf *leaf; /* the buckets, in order */
	struct step *step;
	size_t nodes, buckets, steps;
	/* The first step: many equal cells of the range of the root's keys, so
	 * that keys which are spread evenly need no other. */
	struct grid grid;
	uint16_t *first; /* targets */
	size_t first_at;
	bool vectors;	      /* the processor has them */
	size_t base;	      /* where paths begin */
	unsigned char **path; /* of leaves that go on behind their node's */
	size_t paths;
	uint16_t root; /* a target */
};

/*
 * For n strings of a sample, which are sorted by this and agree in `depth`
 * bytes, and about `want` buckets; flip: from the greatest strings down.
 */
int tree_init(struct tree *, struct span *sample, size_t n, size_t depth,
    size_t want, bool flip, struct hp_err *);
void tree_fini(struct tree *);

/* The bucket of a string. */
size_t tree_find(const struct tree *, struct span);

enum {
	TREE_MANY = 128
};

/* The buckets of n <= TREE_MANY strings. */
void tree_find_many(
    const struct tree *, const struct span *, size_t n, uint16_t *bucket);

#endif
