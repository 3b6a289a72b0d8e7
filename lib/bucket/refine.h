#ifndef HP_BUCKET_REFINE_H
#define HP_BUCKET_REFINE_H

/*
 * The second phase of a batch: buckets that are too large for the cache of one
 * thread are divided again, each by a sample of its own.
 *
 * If there are many such buckets, a thread takes all of one at a time: the
 * fewer threads fill the lists of a bucket, the fewer chunks are not full.  If
 * there are few, or if the lists must keep their order, each thread divides its
 * own list of every bucket.  New elements go to the chunks that were emptied.
 */

#include <stddef.h>

#include "base/err.h"
#include "bucket/engine.h"
#include "kernel/pile.h"

int buckets_refine(struct buckets *, struct hp_err *);

/* Elements of a part of a bucket that is divided: enough to waste little of its
 * chunks. */
static inline size_t
refine_part(const struct buckets *b)
{
	size_t least = 8 * CHUNK / b->element;

	least = least < b->leaf / 2 ? least : b->leaf / 2;
	return b->part > least ? b->part : least;
}

#endif
