#ifndef HP_KERNEL_ENTRIES_H
#define HP_KERNEL_ENTRIES_H

/* Sorts entries. */

#include "kernel/entry.h"

/*
 * Sorts n entries stably. The caller must have loaded their keys: 8 bytes at
 * offset `depth` of the primary key (stage 0) or of the whole record (stage 1).
 * All entries must agree in the bytes before these. tmp has room for n more
 * entries. Moves O(n log n) entries, fewer if the keys are evenly distributed.
 * A prefix that all entries share is read only O(1) times.
 */
void entries_sort(const struct view *, struct entry *, size_t n,
    struct entry *tmp, unsigned stage, size_t depth);
/*
 * Sorts n entries whose keys are all equal, by the bytes that follow. The
 * arguments are those of entries_sort.
 */
void entries_deepen(const struct view *, struct entry *, size_t n,
    struct entry *tmp, unsigned stage, size_t depth);

#endif
