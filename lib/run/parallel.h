#ifndef HP_RUN_PARALLEL_H
#define HP_RUN_PARALLEL_H

/* One merge of several runs by several threads. */

#include "run/runs.h"

/*
 * Returns 1 if done.  Returns 0 if one thread must do it: a run cannot seek,
 * the data is small, or the records are long.
 */
int parallel_merge(struct runs *, const struct run *, size_t n, struct output *,
    struct merged *, struct hp_err *);

#endif
