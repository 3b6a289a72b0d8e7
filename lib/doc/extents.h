#ifndef HP_DOC_EXTENTS_H
#define HP_DOC_EXTENTS_H

/*
 * The extent lines of hp-sublists(5): which bytes of a file hold the records
 * of each sublist.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

struct extent {
	uint64_t sublist; /* the rank that gets it, unless assigned otherwise */
	uint64_t rank;	  /* the node that has it */
	uint64_t offset, bytes, records;
};

struct extents {
	struct extent *v;
	size_t n, cap;
};

void extents_fini(struct extents *);

/*
 * Those of the node of that rank, for sublists below `nodes`, in the order of
 * the lines; "-" is standard input.
 */
int doc_extents_read(const char *path, uint64_t rank, uint64_t nodes,
    struct extents *, struct hp_err *);
int doc_extent_write(FILE *, const struct extent *, struct hp_err *);

#endif
