#ifndef HP_KERNEL_BRIEF_H
#define HP_KERNEL_BRIEF_H

/*
 * Entries of half the size, for records whose keys lie in themselves: a number
 * with as many bits of the key as tell the records of a bucket apart, mostly,
 * above the record's distance from the start of the input.  Half as much is
 * moved, and the fastest sort of plain numbers serves.  What agrees in these
 * bits comes as the input had it, and is sorted by the records themselves.
 */

#include <stdint.h>

#include "base/err.h"
#include "kernel/tree.h"

/* What the keys of one bucket have in common. */
struct brief {
	uint64_t low;	/* the least there may be */
	unsigned shift; /* top bits that are zeros in what exceeds it */
};

/* One for each bucket of a tree, or NULL.  flip: as tree_init had it. */
struct brief *briefs_new(const struct tree *, bool flip, struct hp_err *);

/* bits: of the distance `off`. */
static inline uint64_t
brief_make(const struct brief *b, uint64_t key, uint64_t off, unsigned bits)
{
	return ((key - b->low) << b->shift) >> bits << bits | off;
}

#endif
