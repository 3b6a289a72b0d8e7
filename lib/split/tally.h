#ifndef HP_SPLIT_TALLY_H
#define HP_SPLIT_TALLY_H

/* Numbers of records, summed by sublist and by node. */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Limit for sublist and node numbers. */
#define TALLY_MOST ((uint64_t)1 << 24)

struct tally_sums {
	uint64_t *v; /* zero where nothing was added */
	size_t n, cap;
};

struct tally {
	struct tally_sums sublist, rank;
};

/*
 * Adds a count. Fails with HP_INPUT for a number of TALLY_MOST or more, or a
 * sum above 2^53.
 */
int tally_add(struct tally *, uint64_t sublist, uint64_t rank, uint64_t records,
    struct hp_err *);
/*
 * Returns the sum for a sublist or a node by its number. Returns 0 beyond the
 * end.
 */
uint64_t tally_get(const struct tally_sums *, size_t);
/* Does nothing on a zeroed struct. */
void tally_fini(struct tally *);

#endif
