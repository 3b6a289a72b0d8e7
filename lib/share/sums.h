#ifndef HP_SHARE_SUMS_H
#define HP_SHARE_SUMS_H

/*
 * Sets of integers, stored as ranges. Two sets can be added: the result is all
 * sums of one number from each of them.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "cost/within.h"

struct set {
	struct range *range; /* ascending, with gaps between them */
	size_t n;
	size_t cap;
};

void set_fini(struct set *);
bool set_has(const struct set *, uint64_t);

/*
 * Stores in `out` the set of all sums a + b, with a in A and b in B, that are
 * at most `most`. `out` must not be A or B. Fails with HP_NOMEM if memory is
 * short or if the result has more than SET_MOST ranges. O(|A| |B| log).
 */
#define SET_MOST ((size_t)1 << 20)
int set_add(const struct set *a, const struct set *b, uint64_t most,
    struct set *out, struct hp_err *);

/*
 * Stores in *part the greatest number b in B for which total - b is in A.
 * Returns false if there is none.
 */
bool set_split(
    const struct set *a, const struct set *b, uint64_t total, uint64_t *part);

#endif
