#ifndef HP_SHARE_SUMS_H
#define HP_SHARE_SUMS_H

/*
 * Sets of sums: which totals can be made by one number out of each of several
 * sets, all kept as ranges.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "cost/within.h"

struct set {
	struct range *range; /* ascending, not touching */
	size_t n;
	size_t cap;
};

void set_fini(struct set *);
bool set_has(const struct set *, uint64_t);

/*
 * out = {a + b <= most : a in A, b in B}; out is neither.  HP_NOMEM also when
 * it would be of more than SET_MOST ranges.  O(|A| |B| log).
 */
#define SET_MOST ((size_t)1 << 20)
int set_add(const struct set *a, const struct set *b, uint64_t most,
    struct set *out, struct hp_err *);

/* Some b in B with total - b in A, the greatest; false if there is none. */
bool set_split(
    const struct set *a, const struct set *b, uint64_t total, uint64_t *part);

#endif
