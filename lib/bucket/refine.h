#ifndef HP_BUCKET_REFINE_H
#define HP_BUCKET_REFINE_H

/*
 * The second phase of a batch: divides buckets that do not fit the cache of one
 * thread, each by a new sample.
 *
 * If there are many large buckets, each thread divides whole buckets: the fewer
 * threads fill the lists of a bucket, the fewer chunks are partly empty. If
 * there are few, or if lists must keep their order, each thread divides its own
 * list of every bucket. New elements reuse the chunks that were emptied.
 */

#include <stddef.h>

#include "base/err.h"
#include "bucket/engine.h"
#include "kernel/pile.h"

int buckets_refine(struct buckets *, struct hp_err *);

/*
 * Returns how many elements a part of a divided bucket should have. Each part
 * wastes some memory in partly empty chunks, so parts must not be too small.
 */
static inline size_t
refine_part(const struct buckets *b)
{
	size_t least = 8 * CHUNK / b->element;

	least = least < b->leaf / 2 ? least : b->leaf / 2;
	return b->part > least ? b->part : least;
}

#endif
