#ifndef HP_CMD_HPRUN_BATCH_SUMS_H
#define HP_CMD_HPRUN_BATCH_SUMS_H

/*
 * What the batches by key contain.  When the launcher divided the input, it has
 * written the checksum of each unit to units.sums.
 */

#include "check/summary.h"
#include "growing.h"

/*
 * Returns the numbers of all batches in the order of the result, or NULL.  The
 * caller frees the array.
 */
size_t *batch_order(const struct growing *, struct hp_err *);
/*
 * Returns the number of records, the bytes and the checksum of each batch, by
 * the number of the batch, or NULL.  `order` is that of batch_order.  The
 * caller frees the array.
 */
struct summary *
batch_sums(const struct growing *, const size_t *order, struct hp_err *);

#endif
