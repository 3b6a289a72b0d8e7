#ifndef HP_RUN_FILL_H
#define HP_RUN_FILL_H

/*
 * Reads data into the buffer of a source. The buffer grows if it is shorter
 * than a record.
 */

#include "run/source.h"

/*
 * Reads once into the buffer; blocks if no data is ready. Returns SOURCE_FULL
 * if the buffer is full and may not grow.
 */
int source_fill(struct source *, struct hp_err *);
/* Returns true if the buffer has free space and the input has not ended. */
bool source_wants(const struct source *);

#endif
