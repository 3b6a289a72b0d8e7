#ifndef HP_BUCKET_LOAD_H
#define HP_BUCKET_LOAD_H

/*
 * The elements of a bucket out of its lists, as entries, and sorted if wanted.
 */

#include <stddef.h>

#include "base/err.h"
#include "bucket/buckets.h"
#include "kernel/entry.h"
#include "kernel/pile.h"

struct loader {
	const struct buckets *buckets;
	const struct bucket *bucket;
	struct walk *at; /* one for each list */
	size_t *pos;
	unsigned now;
	size_t cap;
	unsigned char *tmp;   /* cap entries */
	struct span *distant; /* of records that are too long for a place */
	size_t ndistant;
	struct dropped *dropped; /* by loader_sort; NULL: not wanted */
};

/* For at most cap entries at once. */
int loader_init(
    struct loader *, const struct buckets *, size_t cap, struct hp_err *);
void loader_fini(struct loader *);

/* Begin with a bucket. */
void loader_start(struct loader *, const struct bucket *);

/* The next entries, up to `room`, as they come, or in the input's order where
 * that matters; returns how many.  Their keys are not for use. */
size_t loader_next(struct loader *, struct entry *x, size_t room);

/* All entries, at most `room`, sorted, of the same key only one if the order
 * has -u; returns how many. */
size_t loader_sort(struct loader *, struct entry *x, size_t room);

/* Sums up what is not written. */
void loader_drop(struct loader *, const struct entry *, size_t n);

/* What was loaded is done with. */
static inline void
loader_reset(struct loader *l)
{
	l->ndistant = 0;
}

#endif
