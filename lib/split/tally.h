#ifndef HP_SPLIT_TALLY_H
#define HP_SPLIT_TALLY_H

/* Sums of numbers of records, by sublist and by node. */

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
 * Adds `records` to the sum of the sublist and to the sum of the node `rank`.
 * Fails with HP_INPUT if `sublist` or `rank` is TALLY_MOST or more, or if a sum
 * exceeds 2^53.
 */
int tally_add(struct tally *, uint64_t sublist, uint64_t rank, uint64_t records,
    struct hp_err *);
/*
 * Returns the sum for the sublist or node of this number. Returns 0 if the
 * number is too large.
 */
uint64_t tally_get(const struct tally_sums *, size_t);
/* Does nothing on a zeroed struct. */
void tally_fini(struct tally *);

#endif
