#ifndef HP_KERNEL_TREEBUILD_H
#define HP_KERNEL_TREEBUILD_H

/* Builds the nodes and buckets of a tree (tree.h) from a sample of strings. */

#include "base/err.h"
#include "kernel/tree.h"

/*
 * Builds a tree for about `want` buckets in ascending order. The n strings of
 * the sample have the same first t->base bytes. Also sorts the sample. The
 * other members of the tree, except `vectors`, must be zero.
 */
int tree_build(struct tree *t, struct span *sample, size_t n, size_t want,
    struct hp_err *);

#endif
