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

/*
 * How the keys of one bucket are shortened. `(key - low) << shift` removes
 * leading bits that are the same in all keys of the bucket. brief_make keeps
 * the top bits of the result.
 */
struct brief {
	uint64_t low; /* lower bound of the keys */
	/*
	 * number of leading zero bits that key - low has for every key of the
	 * bucket
	 */
	unsigned shift;
};

/*
 * Makes an array with one struct brief for each bucket of a tree. A struct
 * brief says how the keys of one bucket are shortened. `flip` (descending
 * order) must be the same as for tree_init. Returns NULL on failure. The caller
 * frees the array.
 */
struct brief *briefs_new(const struct tree *, bool flip, struct hp_err *);

/*
 * Returns a number whose low `bits` bits are `off`, the offset of a record, and
 * whose other bits are the top bits of the shortened key.
 */
static inline uint64_t
brief_make(const struct brief *b, uint64_t key, uint64_t off, unsigned bits)
{
	return ((key - b->low) << b->shift) >> bits << bits | off;
}

#endif
