#ifndef HP_NUMBERS_BINS_H
#define HP_NUMBERS_BINS_H

/*
 * The bins of a batch: each thread scatters its numbers over lists, one for
 * each bin, and then the lists of all threads are put together.
 */

#include "base/err.h"
#include "numbers/cells.h"
#include "numbers/engine.h"
#include "numbers/scatter.h"

/*
 * One scatter for each thread, with a list for each bucket of the cells and one
 * more behind them (tally.h).  The cells are borrowed.
 */
struct scatter *
numbers_scatters_new(struct numbers *, const struct cells *, struct hp_err *);
void numbers_scatters_free(const struct numbers *, struct scatter *);
/* Closes all scatters after the last number. */
int numbers_scatters_close(struct numbers *, struct scatter *, struct hp_err *);

/*
 * Fills out[0 .. cells->buckets] with the bins of what the threads scattered,
 * in order of their keys; the last one has the list behind the buckets.  The
 * lists belong to the engine then.
 */
int numbers_bins(struct numbers *, const struct scatter *, const struct cells *,
    struct bin *out, struct hp_err *);

/* Frees the bins; the memory of their numbers is the arena's. */
void numbers_bins_forget(struct numbers *);

#endif
