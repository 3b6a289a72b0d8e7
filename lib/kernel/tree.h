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
	 * A search goes down the tree from target to target. A target is a
	 * 16-bit number. Without this flag, it is the index of a bucket, where
	 * the search ends. With this flag in tree.first, node.step or step.to,
	 * it is the index of a search step. With this flag elsewhere, it is the
	 * index of a node.
	 */
	TREE_NODE = 0x8000,
	TREE_PER_BUCKET = 16 /* sample strings per bucket, at least */
};

struct node {
	/*
	 * The prefix of `at` bytes that all strings in this node share. Its
	 * first tree.base bytes are not stored here, because all strings of the
	 * tree share them.
	 */
	unsigned char *path;
	/* length of the prefix that the parent nodes have already compared */
	size_t depth;
	/* offset of the 8 bytes of a string that this tree node compares */
	size_t at;
	struct spread spread;
	/*
	 * to[k] says where strings in range k of `spread` belong: to a bucket
	 * of the tree, or to another node that divides them further
	 */
	uint16_t *to;
	/*
	 * true: the sample strings of this node have equal bytes here, because
	 * each string ends at offset `at` or continues with 8 zero bytes.
	 * Strings that end go to to[0], the others to to[1].
	 */
	bool ends;
	/*
	 * targets (where the search goes on) for strings that sort before or
	 * after all strings with the prefix `path`
	 */
	uint16_t below, above;
	uint16_t step; /* target: the first step of this node */
};

enum {
	STEP_WAYS = 9
};

/*
 * One search step: it compares 8 bytes of a string with 8 bounds, which fill
 * one cache line.
 */
struct step {
	/* the greatest key that leads to each target, except the last target */
	uint64_t most[STEP_WAYS - 1];
	uint16_t to[STEP_WAYS]; /* targets: steps or buckets */
	uint32_t at;		/* offset of the 8 bytes to compare */
};

struct leaf {
	/* the prefix that all strings in the bucket share */
	unsigned char *path;
	size_t depth; /* length of that prefix */
	/*
	 * The 8 bytes after the prefix are also equal in all strings, if
	 * shorter strings are padded with zeros.
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
	 * A search begins with a table that divides the range of the keys into
	 * equal cells. If the keys are evenly distributed, this one step finds
	 * the bucket.
	 */
	struct grid grid;
	uint16_t *first; /* first[c] is the target of cell c */
	size_t first_at;
	bool vectors; /* the processor has the vector instructions */
	/*
	 * length of the prefix that all strings of the tree share; the paths
	 * omit this prefix
	 */
	size_t base;
	/*
	 * the bucket prefixes that the tree must free: those that are longer
	 * than the prefix of the node; the others belong to the nodes
	 */
	unsigned char **path;
	size_t paths;
	/*
	 * the target at which a search starts: the first node, or the bucket if
	 * there is only one
	 */
	uint16_t root;
};

/*
 * Builds a tree for about `want` buckets from a sample of n strings, which have
 * the same first `depth` bytes. Also sorts the sample. If `flip` is set, the
 * buckets are in descending order. Call tree_fini even if this function fails.
 */
int tree_init(struct tree *, struct span *sample, size_t n, size_t depth,
    size_t want, bool flip, struct hp_err *);
void tree_fini(struct tree *);

/* Returns the bucket of a string. */
size_t tree_find(const struct tree *, struct span);

enum {
	TREE_MANY = 128
};

#endif
