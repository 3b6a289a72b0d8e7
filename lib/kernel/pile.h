#ifndef HP_KERNEL_PILE_H
#define HP_KERNEL_PILE_H

/*
 * An arena allocator, and lists of small elements in its memory. The elements
 * of the lists arrive in mixed order, and counting them first would need
 * another pass over the input. So each list is a chain of chunks of fixed size.
 * When the elements of a list are distributed over other lists, its chunks are
 * reused. On average half a chunk of each list is unused.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena {
	unsigned char *base;
	/*
	 * size of the reserved address range in bytes; only pages that are
	 * touched become memory
	 */
	size_t reserved;
	size_t slab; /* bytes given to a heap at once */
	_Atomic size_t used;
};

/*
 * Reserves the address range. If that fails, tries smaller ranges, down to
 * `least` bytes. The first `huge` bytes, rounded to whole huge pages, may use
 * huge pages. They will surely be used, so huge pages waste little memory
 * there.
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
	 * number of data bytes in use; in the last chunk of a list, this is set
	 * by pile_close
	 */
	uint64_t used;
	unsigned char data[CHUNK_DATA];
};

/* The allocator of one thread. It takes memory from the arena in slabs. */
struct heap {
	struct arena *arena;
	unsigned char *at, *end; /* free part of the slab for chunks */
	unsigned char *loose, *loose_end;
	struct chunk *spare;
};

/*
 * Allocates bytes that are not part of a list, aligned to 8. Returns NULL if
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
	/*
	 * total size in bytes of elements that have different sizes (text.h); 0
	 * if all elements have the same size
	 */
	size_t n;
};

/*
 * The lists of one thread, one for each bucket. The thread appends elements to
 * them.
 */
struct pile {
	struct heap *heap;
	size_t n;
	/* address for the next element of each list; NULL: the list is empty */
	unsigned char **at;
	struct list *list;
};

int pile_init(struct pile *, struct heap *, size_t n, struct hp_err *);
void pile_fini(struct pile *);
/*
 * Appends an empty chunk to list b. Returns the address for its first element,
 * or NULL if the arena is full.
 */
unsigned char *pile_grow(struct pile *, size_t b);
/*
 * Completes the lists of the pile: sets their sizes. Call this function after
 * the last element was appended to any list.
 */
void pile_close(struct pile *);

/*
 * Reserves `size` bytes for the next element of list b and returns their
 * address. Returns NULL if the arena is full.
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

/*
 * Returns how many data bytes the current chunk has; 0 at the end of the list.
 */
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
