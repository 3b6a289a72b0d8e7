#ifndef HP_CMD_HPRUN_BATCH_LIST_H
#define HP_CMD_HPRUN_BATCH_LIST_H

/* The list of all batches of a stage that deals them (growing.h). */

#include "growing.h"

/* Makes room for one more batch. */
int batch_room(struct growing *, struct hp_err *);
/*
 * Returns the numbers of all batches in the order of their offsets, or NULL.
 * The caller frees the array.
 */
size_t *batch_order(const struct growing *, struct hp_err *);

#endif
