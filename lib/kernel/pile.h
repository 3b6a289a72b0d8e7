#ifndef HP_KERNEL_PILE_H
#define HP_KERNEL_PILE_H

/*
 * Memory that grows within a budget, and lists of small elements in it.
 *
 * Distributing n elements over many lists wants neither a pass to count them
 * beforehand nor room for them twice: each list is a chain of chunks, which
 * come from one arena and go back when a list is distributed further.  What is
 * lost is half a chunk a list.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena {
	unsigned char *base;
	size_t reserved; /* addresses; memory comes when touched */
	size_t slab;	 /* what is handed out at once */
	_Atomic size_t used;
};

/* Where there are fewer addresses, those, down to `least`.  huge: bytes from
 * the base on that will be needed, so that huge pages waste nothing. */
int arena_init(struct arena *, size_t reserved, size_t least, size_t slab,
    size_t huge, struct hp_err *);
void arena_fini(struct arena *);
/* Forgets all that was handed out; the memory stays. */
void arena_reset(struct arena *);
/* Gives back the memory that is not handed out. */
void arena_trim(struct arena *);

enum {
	CHUNK = 4096,
	CHUNK_HEAD = 16,
	CHUNK_DATA = CHUNK - CHUNK_HEAD /* a multiple of 16, 8 and 4 */
};

/* Lies at a multiple of CHUNK. */
struct chunk {
	struct chunk *next;
	uint64_t
	    used; /* bytes; known of the last one when the pile is closed */
	unsigned char data[CHUNK_DATA];
};

/* One thread's share of an arena. */
struct heap {
	struct arena *arena;
	unsigned char *at, *end; /* for chunks */
	unsigned char *loose, *loose_end;
	struct chunk *spare;
};

/* Bytes aligned to 8, for other things than chunks; NULL when the arena is used
 * up. */
void *heap_bytes(struct heap *, size_t);

static inline void
heap_give_back(struct heap *h, struct chunk *c)
{
	c->next = h->spare;
	h->spare = c;
}

struct list {
	struct chunk *first;
	size_t bytes;
	size_t n; /* of elements of any size (text.h), else not counted */
};

/* The lists that one thread fills, one for each bucket. */
struct pile {
	struct heap *heap;
	size_t n;
	unsigned char **at; /* where the next element goes; NULL at first */
	struct list *list;
};

int pile_init(struct pile *, struct heap *, size_t n, struct hp_err *);
void pile_fini(struct pile *);
/* A new chunk for list b: where its first element goes, or NULL. */
unsigned char *pile_grow(struct pile *, size_t b);
/* After the last element: now the lists' bytes are right. */
void pile_close(struct pile *);

/* Room for the next element of list b, size bytes, or NULL. */
static inline void *
pile_put(struct pile *p, size_t b, size_t size)
{
	unsigned char *at = p->at[b];

	if (__builtin_expect((-(uintptr_t)at & (CHUNK - 1)) < size, 0) &&
	    (at = pile_grow(p, b)) == NULL)
		return NULL;
	p->at[b] = at + size;
	return at;
}

/* Walks over a list, chunk by chunk. */
struct walk {
	struct chunk *chunk;
};

static inline struct walk
list_walk(const struct list *l)
{
	return (struct walk){ l->first };
}

/* The bytes in this chunk; 0 at the end. */
static inline size_t
walk_bytes(const struct walk *w)
{
	return w->chunk == NULL ? 0 : w->chunk->used;
}

static inline void
walk_next(struct walk *w)
{
	w->chunk = w->chunk->next;
}

#endif
