#ifndef HP_SPLIT_TALLY_H
#define HP_SPLIT_TALLY_H

/*
 * Counts of records, added up by sublist and by the node that has them.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define TALLY_MOST ((uint64_t)1 << 24) /* sublists and nodes */

struct tally_sums {
	uint64_t *v; /* 0 where nothing was added */
	size_t n, cap;
};

struct tally {
	struct tally_sums sublist, rank;
};

/* HP_INPUT for a number of TALLY_MOST or more, or a sum above 2^53. */
int tally_add(struct tally *, uint64_t sublist, uint64_t rank, uint64_t records,
    struct hp_err *);
/* What was added; 0 beyond the end. */
uint64_t tally_get(const struct tally_sums *, size_t);
/* Harmless on a zeroed struct. */
void tally_fini(struct tally *);

#endif
