#ifndef HP_RUN_PARALLEL_H
#define HP_RUN_PARALLEL_H

/* One merge of several runs by several threads. */

#include "run/runs.h"

/*
 * Returns 1 if the merge is done. Returns 0 if one thread must do the merge: a
 * run cannot seek, the data is small, or the records are long.
 */
int parallel_merge(struct runs *, const struct run *, size_t n, struct output *,
    struct merged *, struct hp_err *);

#endif
