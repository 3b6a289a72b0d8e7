#ifndef HP_DOC_EXTENTS_H
#define HP_DOC_EXTENTS_H

/*
 * Reads and writes the extent lines of hp-sublists(5). An extent says which
 * bytes of a file hold the records of a sublist.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

struct extent {
	/*
	 * number of the sublist. It is also the rank of the node that receives
	 * the sublist, unless the plan assigns it to another node.
	 */
	uint64_t sublist;
	uint64_t rank; /* the node that stores it */
	uint64_t offset, bytes, records;
};

struct extents {
	struct extent *v;
	size_t n, cap;
};

void extents_fini(struct extents *);

/*
 * Reads the extents of the node `rank` in the order of the lines. "-" is
 * standard input. Sublist numbers must be below `nodes`.
 */
int doc_extents_read(const char *path, uint64_t rank, uint64_t nodes,
    struct extents *, struct hp_err *);
int doc_extent_write(FILE *, const struct extent *, struct hp_err *);

#endif
