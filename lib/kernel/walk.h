#ifndef HP_KERNEL_WALK_H
#define HP_KERNEL_WALK_H

/* Finds the buckets of many strings at once. */

#include "kernel/tree.h"

/* Finds the buckets of n strings; n is at most TREE_MANY. */
void tree_find_many(
    const struct tree *, const struct span *, size_t n, uint16_t *bucket);

#endif
