#ifndef HP_BUCKET_LOADER_H
#define HP_BUCKET_LOADER_H

/*
 * A loader reads the elements of a bucket for one thread. Each kind of elements
 * (kind.h) converts them to entries: 8 bytes of key, and the address of the
 * record. All later steps work on entries.
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
	/*
	 * at[i] is the chunk (memory block) of list i that holds the next
	 * element to load
	 */
	struct walk *at;
	/*
	 * pos[i] is the offset of the next element of list i in its chunk
	 * (block of the list).
	 */
	size_t *pos;
	/*
	 * number of the list that is being loaded, if the lists are read one
	 * after the other
	 */
	unsigned now;
	size_t cap;	    /* most entries loaded at once */
	unsigned char *tmp; /* buffer for cap entries */
	/*
	 * Addresses and lengths of long records. An entry packs the address and
	 * the length of its record into 8 bytes. Only 16 bits are left for the
	 * length. So for a long record the entry has the address of an element
	 * of this array.
	 */
	struct span *distant;
	size_t ndistant;
	/* count and checksum of the records that -u omits; NULL: not needed */
	struct dropped *dropped;
};

int loader_init(
    struct loader *, const struct buckets *, size_t cap, struct hp_err *);
void loader_fini(struct loader *);

/* Starts to load a bucket, from its first element on. */
void loader_start(struct loader *, const struct bucket *);

/*
 * Declares that the caller no longer uses the entries that were loaded so far.
 */
static inline void
loader_reset(struct loader *l)
{
	l->ndistant = 0;
}

/*
 * Copies the next elements of the bucket, at most `room` bytes, list by list.
 * All elements have the same size. Returns the number of bytes copied.
 */
size_t loader_copy(struct loader *, void *to, size_t room);

/*
 * Sorts the n entries of a whole bucket. The members `key` of the entries must
 * be set.
 */
void loader_sort(struct loader *, struct entry *, size_t n);

/*
 * Removes every entry whose primary key equals that of the entry before it. The
 * n entries are sorted. Returns how many entries remain.
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
 * Prefetches bytes of the list's next chunk (memory block). s points into the
 * current chunk c. The bytes prefetched lie at the same offset in the next
 * chunk.
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
