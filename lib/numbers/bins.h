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
 * Makes a struct scatter for each thread: one list of numbers for each bucket
 * of `cells` (ranges of keys), and one more. The extra list is for numbers
 * below the range whose values are counted (tally.h). The caller keeps `cells`
 * until the structs are freed.
 */
struct scatter *
numbers_scatters_new(struct numbers *, const struct cells *, struct hp_err *);
void numbers_scatters_free(const struct numbers *, struct scatter *);
/* Closes all scatters after the last number. */
int numbers_scatters_close(struct numbers *, struct scatter *, struct hp_err *);

/*
 * A bin is the numbers of one range of keys. Each thread has a list for each
 * range. Joins the lists of all threads for the same range into one bin. Stores
 * the bins in order of their keys in out[0 .. cells->buckets]. The last bin has
 * the numbers of the extra lists (see numbers_scatters_new). The arrays behind
 * the bins belong to struct numbers, which frees them.
 */
int numbers_bins(struct numbers *, const struct scatter *, const struct cells *,
    struct bin *out, struct hp_err *);

/*
 * Frees the bins. The memory of their numbers belongs to the arena and is not
 * freed here.
 */
void numbers_bins_forget(struct numbers *);

#endif
