#ifndef HP_CMD_HPRUN_BATCH_WORK_H
#define HP_CMD_HPRUN_BATCH_WORK_H

/*
 * The steps of a batch (batches.h): the launcher sends the batch to a host, and
 * the node on that host sorts it.  In a probe, these steps have other names
 * than in the real sort, and their output is removed.
 */

#include "doc/extents.h"
#include "run.h"

const char *batch_send_name(bool probe);
const char *batch_sort_name(bool probe);
/*
 * Returns whether the node reads its batches from the input file itself, so
 * that the launcher need not send them.
 */
bool batch_is_read(const struct run *, size_t rank);
/*
 * Add the steps of batch number b to the stage.  x is the extent of the batch
 * in the input.  The sorted batch goes to `out`, or if that is port_none, to a
 * file of the node.  `spent` is a batch whose input the node needs no more, or
 * NULL.
 */
void batch_send(struct run *, struct stage *, size_t rank, size_t b,
    const struct extent *x, bool probe);
void batch_sort(struct run *, struct stage *, size_t rank, size_t b,
    const struct extent *x, struct port out, const size_t *spent, bool probe);

#endif
