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
	 * Flag of a target. A target without the flag is the index of a bucket.
	 * With the flag it is the index of a node, or of a step in the member
	 * `step` and in steps.
	 */
	TREE_NODE = 0x8000,
	TREE_PER_BUCKET = 16 /* sample strings per bucket, at least */
};

struct node {
	/* the bytes up to `at` that strings in this node have */
	unsigned char *path;
	/* length of the prefix that the parent nodes have compared */
	size_t depth;
	/* offset of the 8 bytes by which this node divides strings */
	size_t at;
	struct spread spread;
	uint16_t *to; /* to[k] is the target of bucket k of the spread */
	/*
	 * All strings have the same 8 bytes. Those that end there go to to[0],
	 * longer ones to to[1].
	 */
	bool ends;
	/* targets for strings whose prefix is lower or greater than the path */
	uint16_t below, above;
	uint16_t step; /* target: the first step of this node */
};

enum {
	STEP_WAYS = 9
};

/* A step compares a key with as many bounds as fit in a cache line. */
struct step {
	/* the greatest key of each target except the last */
	uint64_t most[STEP_WAYS - 1];
	uint16_t to[STEP_WAYS]; /* targets: steps or buckets */
	uint32_t at;		/* offset of the 8 bytes to compare */
};

struct leaf {
	/* the prefix that all strings in the bucket share */
	unsigned char *path;
	size_t depth; /* length of that prefix */
	/*
	 * the 8 bytes after the prefix are equal in all strings, too, when
	 * padded with zeros
	 */
	bool equal;
	bool ended; /* all are the same string */
};

struct tree {
	struct node *node;
	struct leaf *leaf; /* the buckets, in order */
	struct step *step;
	size_t nodes, buckets, steps;
	/*
	 * The first search step of the root: a grid over the range of its keys.
	 * Evenly spread keys need no other step.
	 */
	struct grid grid;
	uint16_t *first; /* first[c] is the target of cell c */
	size_t first_at;
	bool vectors; /* the processor has the vector instructions */
	/* length of the prefix that all strings share; paths omit it */
	size_t base;
	/*
	 * paths of those buckets whose path is longer than that of their node
	 */
	unsigned char **path;
	size_t paths;
	/* target at which a search starts: the root node, or the only bucket */
	uint16_t root;
};

/*
 * Builds a tree for about `want` buckets from a sample of n strings. The
 * strings agree in their first `depth` bytes. Sorts the sample. flip: the order
 * is descending.
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
