#ifndef HP_KERNEL_TREESTEPS_H
#define HP_KERNEL_TREESTEPS_H

/*
 * Builds the search steps of a tree that finds the buckets of strings (tree.h).
 * A search begins with a table. Each further step compares 8 bytes of the
 * string with up to 8 bounds. Only the files that build a tree include this
 * header.
 */

#include "base/err.h"
#include "kernel/tree.h"

/*
 * Makes room for an element with index n, if needed. Whenever n is a power of
 * two, the array is full and its capacity doubles.
 */
int tree_grow(void **array, size_t n, size_t size, struct hp_err *);

/*
 * Builds the comparisons with which a search finds the next target of node n, a
 * bucket or another node. All targets of n must be complete. Stores the first
 * comparison in n->step. start[i] is the index of target i's first sample
 * string; one more element follows the last target.
 */
int
tree_steps(struct tree *, struct node *n, const size_t *start, struct hp_err *);

/*
 * Builds the comparisons for a search in the root of the tree. This search
 * begins with a lookup in the table tree.first, which divides the range of the
 * keys into equal cells. So builds separate comparisons for each cell. The
 * parameters are those of tree_steps.
 */
int tree_first(struct tree *, const struct node *root, const size_t *start,
    struct hp_err *);

/*
 * Every search begins with a lookup in a table. If the root of the tree has no
 * table, makes one with a single cell that leads to the root.
 */
int tree_one_first(struct tree *, struct hp_err *);

#endif
