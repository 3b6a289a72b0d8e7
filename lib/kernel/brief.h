#ifndef HP_KERNEL_BRIEF_H
#define HP_KERNEL_BRIEF_H

/*
 * Brief entries: 8 bytes instead of 16 per record, for records that contain
 * their keys. The top bits hold as many bits of the key as usually distinguish
 * the records of one bucket. The low bits hold the record's offset in the
 * input. Brief entries move half as much memory and are sorted by the fastest
 * sort of plain numbers. Records that agree in these key bits stay in input
 * order at first, and are then sorted by comparing the records themselves.
 */

#include <stdint.h>

#include "base/err.h"
#include "kernel/tree.h"

/* How the keys of one bucket are shortened: (key - low) << shift. */
struct brief {
	uint64_t low; /* lower bound of the keys */
	/* number of leading bits that are 0 in each key minus low */
	unsigned shift;
};

/*
 * Makes one brief for each bucket of a tree. `flip` must be as for tree_init.
 * Returns NULL on failure; the caller frees the array.
 */
struct brief *briefs_new(const struct tree *, bool flip, struct hp_err *);

/* Makes a brief entry. The offset `off` takes the low `bits` bits. */
static inline uint64_t
brief_make(const struct brief *b, uint64_t key, uint64_t off, unsigned bits)
{
	return ((key - b->low) << b->shift) >> bits << bits | off;
}

#endif
