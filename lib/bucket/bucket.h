#ifndef HP_BUCKET_BUCKET_H
#define HP_BUCKET_BUCKET_H

/*
 * Buckets out of the lists that the threads have filled.
 */

#include "base/err.h"
#include "bucket/division.h"
#include "bucket/engine.h"
#include "kernel/pile.h"

/*
 * Writes the buckets of a division that are not empty to *out, in order, and
 * moves *out behind them.  pile: one for each thread.  The lists belong to the
 * engine then.
 */
int buckets_collect(struct buckets *, const struct division *,
    const struct pile *, struct bucket **out, struct hp_err *);

/* Frees the buckets; the memory of their elements is the arena's. */
void buckets_forget(struct buckets *);

#endif
