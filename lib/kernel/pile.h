#ifndef HP_KERNEL_PILE_H
#define HP_KERNEL_PILE_H

/*
 * An arena allocator, and lists of small elements in it.
 *
 * The elements of many lists arrive in mixed order. Counting them first would
 * need another pass. Instead each list is a chain of fixed-size chunks from one
 * arena. Chunks return to a free list when a list is distributed further. On
 * average half a chunk per list is unused.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena {
	unsigned char *base;
	/* size of the address range in bytes; touched pages become memory */
	size_t reserved;
	size_t slab; /* bytes given to a heap at once */
	_Atomic size_t used;
};

/*
 * Reserves the address range. If that fails, tries smaller ranges, down to
 * `least` bytes. huge: number of bytes from the base that will surely be used,
 * so that huge pages waste no memory there.
 */
int arena_init(struct arena *, size_t reserved, size_t least, size_t slab,
    size_t huge, struct hp_err *);
void arena_fini(struct arena *);
/* Forgets all allocations; the memory stays mapped. */
void arena_reset(struct arena *);
/* Returns unallocated memory to the system. */
void arena_trim(struct arena *);

enum {
	CHUNK = 4096,
	CHUNK_HEAD = 16,
	CHUNK_DATA = CHUNK - CHUNK_HEAD /* multiple of 16, 8 and 4 */
};

/* Aligned to CHUNK bytes. */
struct chunk {
	struct chunk *next;
	/*
	 * number of data bytes; valid for the last chunk once the pile is
	 * closed
	 */
	uint64_t used;
	unsigned char data[CHUNK_DATA];
};

/* The allocator of one thread. It takes slabs from the arena. */
struct heap {
	struct arena *arena;
	unsigned char *at, *end; /* free part of the slab for chunks */
	unsigned char *loose, *loose_end;
	struct chunk *spare;
};

/*
 * Allocates bytes aligned to 8 that are not part of a chunk. Returns NULL if
 * the arena is full.
 */
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
	/* bytes of elements of varying size (text.h); 0 for other elements */
	size_t n;
};

/* The lists that one thread fills: one per bucket. */
struct pile {
	struct heap *heap;
	size_t n;
	/* place for the next element of each list; NULL: the list is empty */
	unsigned char **at;
	struct list *list;
};

int pile_init(struct pile *, struct heap *, size_t n, struct hp_err *);
void pile_fini(struct pile *);
/*
 * Adds a chunk to list b. Returns the place for its first element, or NULL if
 * the arena is full.
 */
unsigned char *pile_grow(struct pile *, size_t b);
/* Sets the sizes of all lists. Call this after the last element. */
void pile_close(struct pile *);

/*
 * Returns room for the next element of list b, which has `size` bytes. Returns
 * NULL if the arena is full.
 */
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

/* Iterates over the chunks of a list. */
struct walk {
	struct chunk *chunk;
};

static inline struct walk
list_walk(const struct list *l)
{
	return (struct walk){ l->first };
}

/* Returns the number of data bytes in this chunk; 0 at the end of the list. */
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
