#ifndef HP_KERNEL_TREESTEPS_H
#define HP_KERNEL_TREESTEPS_H

/*
 * Builds the search steps of a tree (tree.h): the table with which a search
 * begins, and the comparisons that lead from a node to its targets. Only the
 * files that build a tree include this header.
 */

#include "base/err.h"
#include "kernel/tree.h"

/*
 * Makes room for an element with index n, if needed. Whenever n is a power of
 * two, the array is full and its capacity doubles.
 */
int tree_grow(void **array, size_t n, size_t size, struct hp_err *);

/*
 * Builds the search steps of a node whose targets are complete, and stores the
 * first of them in n->step. start[i] is the index of the first sample string of
 * target i; one more element follows the last target.
 */
int
tree_steps(struct tree *, struct node *n, const size_t *start, struct hp_err *);

/*
 * Builds the search steps of the root, a node whose targets are complete. They
 * begin with a table that divides the range of the keys into cells.
 */
int tree_first(struct tree *, const struct node *root, const size_t *start,
    struct hp_err *);

/*
 * Makes a table with a single cell, for a tree whose first node has no table. A
 * search begins with the table.
 */
int tree_one_first(struct tree *, struct hp_err *);

#endif
