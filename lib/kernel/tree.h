#ifndef HP_KERNEL_TREE_H
#define HP_KERNEL_TREE_H

/*
 * A tree distributes strings over buckets in order, and evenly even if they
 * share long prefixes. A node of the tree spreads strings by 8 of their bytes.
 * A value of these bytes that is too frequent for one bucket leads to another
 * node. That node spreads by the next 8 bytes in which its sample differs,
 * after the prefix that the sample shares.
 *
 * Many strings descend side by side. Each step compares 8 bytes with a few
 * bounds and does not branch on the result (as in string sample sort, Bingmann
 * and Sanders 2013). So the processor overlaps the memory accesses of different
 * strings. The descent does not check the shared prefixes; the bucket it ends
 * in does.
 *
 * A string that would fill a bucket by itself gets its own bucket.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/entry.h"
#include "kernel/grid.h"
#include "kernel/spread.h"

enum {
	/*
	 * A target is the index of a bucket. With this flag it is the index of
	 * a node, or in the steps, of a step.
	 */
	TREE_NODE = 0x8000,
	TREE_PER_BUCKET = 16 /* sample strings per bucket, at least */
};

struct node {
	/* the prefix that strings in this node have, up to `at` */
	unsigned char *path;
	size_t depth; /* length of the prefix that the parent nodes checked */
	size_t at;    /* offset of the 8 bytes that this node spreads by */
	struct spread spread;
	uint16_t *to; /* to[k] is the target of bucket k of the spread */
	/*
	 * the strings all agree: those that end here go to to[0], longer ones
	 * to to[1]
	 */
	bool ends;
	/* targets for strings with a lower or greater prefix */
	uint16_t below, above;
	uint16_t step; /* target: the first step of this node */
};

enum {
	STEP_WAYS = 9
};

/* A step compares a key with as many bounds as fit in a cache line. */
struct step {
	/* the greatest key for each target except the last */
	uint64_t most[STEP_WAYS - 1];
	uint16_t to[STEP_WAYS]; /* targets: steps or buckets */
	uint32_t at;		/* offset of the 8 bytes to compare */
};

struct leaf {
	/* the prefix that all strings in the bucket share */
	unsigned char *path;
	size_t depth; /* length of that prefix */
	/* their 8 bytes after the prefix are equal too, padded with zeros */
	bool equal;
	bool ended; /* all are the same string */
};

struct tree {
	struct node *node;
	struct leaf *leaf; /* the buckets, in order */
	struct step *step;
	size_t nodes, buckets, steps;
	/*
	 * The root's first step: a grid over the range of its keys. Evenly
	 * spread keys need no other step.
	 */
	struct grid grid;
	uint16_t *first; /* first[c] is the target of cell c */
	size_t first_at;
	bool vectors; /* the processor has the vector instructions */
	/* length of the prefix that all strings share; paths start behind it */
	size_t base;
	/* paths of buckets that are longer than their node's path */
	unsigned char **path;
	size_t paths;
	uint16_t root; /* target: the root node, or the only bucket */
};

/*
 * Builds a tree from a sample of n strings that agree in their first `depth`
 * bytes, for about `want` buckets. Sorts the sample. flip: the order is
 * descending.
 */
int tree_init(struct tree *, struct span *sample, size_t n, size_t depth,
    size_t want, bool flip, struct hp_err *);
void tree_fini(struct tree *);

/* Returns the bucket of a string. */
size_t tree_find(const struct tree *, struct span);

enum {
	TREE_MANY = 128
};

/* Finds the buckets of n <= TREE_MANY strings. */
void tree_find_many(
    const struct tree *, const struct span *, size_t n, uint16_t *bucket);

#endif
