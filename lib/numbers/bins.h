#ifndef HP_NUMBERS_BINS_H
#define HP_NUMBERS_BINS_H

/*
 * Makes the bins of a batch. A bin holds the numbers of one range of keys. Each
 * thread distributes its numbers over its own lists, one list per bin. Then the
 * lists of all threads are combined to bins.
 */

#include "base/err.h"
#include "numbers/cells.h"
#include "numbers/engine.h"
#include "numbers/scatter.h"

/*
 * Makes a struct scatter for each thread. It has one list for each bucket of
 * `cells`, and one more for numbers below the range that is counted (tally.h).
 * The caller keeps `cells` until the structs are freed.
 */
struct scatter *
numbers_scatters_new(struct numbers *, const struct cells *, struct hp_err *);
void numbers_scatters_free(const struct numbers *, struct scatter *);
/* Closes all scatters after the last number. */
int numbers_scatters_close(struct numbers *, struct scatter *, struct hp_err *);

/*
 * Combines the lists of all threads to bins, in the order of their keys, and
 * stores these in out[0 .. cells->buckets]. The last bin is that of the
 * additional list (see numbers_scatters_new). The engine then owns the lists.
 */
int numbers_bins(struct numbers *, const struct scatter *, const struct cells *,
    struct bin *out, struct hp_err *);

/*
 * Frees the bins. The memory of their numbers belongs to the arena and is not
 * freed here.
 */
void numbers_bins_forget(struct numbers *);

#endif
