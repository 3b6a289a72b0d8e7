#ifndef HP_BUCKET_BUCKET_H
#define HP_BUCKET_BUCKET_H

/*
 * Each thread has one list of elements for each bucket. This file joins the
 * lists of all threads for the same bucket into a struct bucket.
 */

#include "base/err.h"
#include "bucket/division.h"
#include "bucket/engine.h"
#include "kernel/pile.h"

/*
 * Writes the nonempty buckets of a division to *out in order, and advances *out
 * past them. `pile` is an array with the lists of each thread. The engine then
 * owns the lists.
 */
int buckets_collect(struct buckets *, const struct division *,
    const struct pile *, struct bucket **out, struct hp_err *);

/*
 * Frees the buckets. The memory of their elements belongs to the arena and is
 * not freed here.
 */
void buckets_forget(struct buckets *);

#endif
