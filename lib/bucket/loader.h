#ifndef HP_BUCKET_LOADER_H
#define HP_BUCKET_LOADER_H

/*
 * One thread's way through the elements of a bucket: list after list, chunk
 * after chunk.  Each kind of elements makes entries of them (kind.h), whatever
 * they are, so that all later steps work on entries.
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
	struct walk *at;    /* the next element of each list, */
	size_t *pos;	    /* and its bytes from the start of the chunk */
	unsigned now;	    /* the list that is read, if one after the other */
	size_t cap;	    /* entries that are loaded at once, at most */
	unsigned char *tmp; /* room for cap entries */
	struct span *distant; /* records too long for the place of an entry */
	size_t ndistant;
	struct dropped *dropped; /* sums up what is left out; NULL: nothing */
};

int loader_init(
    struct loader *, const struct buckets *, size_t cap, struct hp_err *);
void loader_fini(struct loader *);

/* Begins with the first element of a bucket. */
void loader_start(struct loader *, const struct bucket *);

/* The entries loaded so far are not used any more. */
static inline void
loader_reset(struct loader *l)
{
	l->ndistant = 0;
}

/* Copies elements of one size, at most `room` bytes, list after list.  Returns
 * how many bytes. */
size_t loader_copy(struct loader *, void *to, size_t room);

/* Sorts n entries, which are all of the bucket; their keys are loaded. */
void loader_sort(struct loader *, struct entry *, size_t n);

/* Of n sorted entries, keeps the first of each primary key and drops the
 * others. Returns how many stay. */
size_t loader_unique(struct loader *, struct entry *, size_t n);

/* Sums up the records of n entries, which are not written. */
void loader_drop(struct loader *, const struct entry *, size_t n);

/* The next element of list i. */
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

/* Prefetches the next chunk, bit by bit: the part as far from its start as s is
 * from that of this chunk. */
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
