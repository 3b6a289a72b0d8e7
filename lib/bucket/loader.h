#ifndef HP_BUCKET_LOADER_H
#define HP_BUCKET_LOADER_H

/*
 * Loads the elements of a bucket for one thread, list by list and chunk by
 * chunk. Each kind of elements (kind.h) converts them to entries, so that later
 * steps see only entries.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "bucket/engine.h"
#include "kernel/entry.h"
#include "kernel/pile.h"
#include "run/dropped.h"

struct loader {
	const struct buckets *buckets;
	const struct bucket *bucket;
	struct walk *at; /* for each list: the chunk with the next element */
	/* for each list: the offset of that element in its chunk */
	size_t *pos;
	/* index of the current list, if lists are read one after the other */
	unsigned now;
	size_t cap;	    /* most entries loaded at once */
	unsigned char *tmp; /* buffer for cap entries */
	/* records too long for the place in an entry */
	struct span *distant;
	size_t ndistant;
	/* count and checksum of the records that -u omits; NULL: not needed */
	struct dropped *dropped;
};

int loader_init(
    struct loader *, const struct buckets *, size_t cap, struct hp_err *);
void loader_fini(struct loader *);

/* Starts at the first element of a bucket. */
void loader_start(struct loader *, const struct bucket *);

/* Declares that the entries loaded so far are no longer used. */
static inline void
loader_reset(struct loader *l)
{
	l->ndistant = 0;
}

/*
 * Copies elements of fixed size, at most `room` bytes, list by list. Returns
 * the number of bytes.
 */
size_t loader_copy(struct loader *, void *to, size_t room);

/* Sorts the n entries of a whole bucket. Their keys must be loaded. */
void loader_sort(struct loader *, struct entry *, size_t n);

/*
 * Keeps the first entry of each primary key among n sorted entries, and drops
 * the others. Returns how many remain.
 */
size_t loader_unique(struct loader *, struct entry *, size_t n);

/*
 * Adds the records of n entries to the count and checksum of the records that
 * -u omits.
 */
void loader_drop(struct loader *, const struct entry *, size_t n);

/* Returns the next element of list i. */
static inline const void *
loader_head(const struct loader *l, unsigned i)
{
	return l->at[i].chunk->data + l->pos[i];
}

static inline void
loader_skip(struct loader *l, unsigned i, size_t bytes)
{
	l->pos[i] += bytes;
	if (l->pos[i] == walk_bytes(&l->at[i])) {
		walk_next(&l->at[i]);
		l->pos[i] = 0;
	}
}

/*
 * Prefetches the bytes of the next chunk that have the same offset as s has in
 * the current chunk.
 */
static inline void
loader_prefetch(const struct chunk *c, const unsigned char *s)
{
	const unsigned char *next = (const void *)c->next;

	if (next == NULL)
		return;
	next += s - (const unsigned char *)c;
	__builtin_prefetch(next);
	__builtin_prefetch(next + 64);
}

#endif
