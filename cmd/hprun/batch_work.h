#ifndef HP_CMD_HPRUN_BATCH_WORK_H
#define HP_CMD_HPRUN_BATCH_WORK_H

/*
 * The steps of a batch (batches.h): a host is sent the batch, and its node
 * sorts it.  The steps of a probe have other names than those of the real sort,
 * and what they sort is removed.
 */

#include "doc/extents.h"
#include "run.h"

const char *batch_send_name(bool probe);
const char *batch_sort_name(bool probe);
/* Tells whether the node reads the input itself. */
bool batch_is_read(const struct run *, size_t rank);
/* Adds the steps; b is the number of the batch, x its extent of the input. */
void batch_send(struct run *, struct stage *, size_t rank, size_t b,
    const struct extent *x, bool probe);
void batch_sort(struct run *, struct stage *, size_t rank, size_t b,
    const struct extent *x, bool probe);

#endif
