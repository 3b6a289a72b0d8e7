#ifndef HP_NUMBERS_BINS_H
#define HP_NUMBERS_BINS_H

/*
 * Makes the bins of a batch. A bin is a range of keys. Each thread distributes
 * its numbers over lists, one list per bin. Then the lists of all threads are
 * combined.
 */

#include "base/err.h"
#include "numbers/cells.h"
#include "numbers/engine.h"
#include "numbers/scatter.h"

/*
 * Makes a struct scatter, the lists of one thread, for each thread. It has one
 * list per bin, as `cells` defines them, and one more for numbers that are only
 * counted (tally.h). `cells` is borrowed.
 */
struct scatter *
numbers_scatters_new(struct numbers *, const struct cells *, struct hp_err *);
void numbers_scatters_free(const struct numbers *, struct scatter *);
/* Closes all scatters after the last number. */
int numbers_scatters_close(struct numbers *, struct scatter *, struct hp_err *);

/*
 * Fills out[0 .. cells->buckets] with bins, in order of their keys, from the
 * lists of all threads. The last bin has the extra list. The engine then owns
 * the lists.
 */
int numbers_bins(struct numbers *, const struct scatter *, const struct cells *,
    struct bin *out, struct hp_err *);

/* Frees the bins. The memory of their numbers belongs to the arena. */
void numbers_bins_forget(struct numbers *);

#endif
