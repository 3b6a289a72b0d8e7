#ifndef HP_NUMBERS_SCATTER_H
#define HP_NUMBERS_SCATTER_H

/*
 * Distributing numbers over many lists at the speed of memory.
 *
 * What goes to a list is gathered in a line, and a full line is written past
 * the cache: the lists' memory is neither read before it is written nor
 * takes the cache from what is still needed (write combining as in Wassenberg
 * and Sanders, Engineering a multi-core radix sort, 2011).  A list is a chain
 * of sheets, which come from one arena and go back when they have been read, so
 * that nothing need be counted beforehand.  Of a list whose numbers are all the
 * same only their count is kept.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/err.h"
#include "kernel/pile.h"

enum {
	/* Two of the cache's: that a line is full is a branch that nobody
	 * foretells. */
	LINE = 128
};

/* Lies at a multiple of its size. */
struct sheet {
	struct sheet *next;
	unsigned char unused[LINE - sizeof(struct sheet *)];
	unsigned char data[];
};

/* One thread's sheets. */
struct sheets {
	struct heap heap;
	size_t size; /* of a sheet, a power of 2 that divides the slab's */
	struct sheet *spare;
};

static inline void
sheet_give_back(struct sheets *s, struct sheet *x)
{
	x->next = s->spare;
	s->spare = x;
}

/* The lists that one thread fills. */
struct scatter {
	struct sheets *sheets;
	size_t n;
	const bool *equal;    /* of which only the count is kept */
	size_t *count;	      /* numbers in each */
	unsigned char *line;  /* of each, LINE bytes */
	unsigned char **at;   /* where it goes; NULL at first */
	struct sheet **first; /* the lists */
};

/* equal: for each of n lists; borrowed. */
int scatter_init(struct scatter *, struct sheets *, size_t n, const bool *equal,
    struct hp_err *);
void scatter_fini(struct scatter *);
/* A new sheet for list b: where its first line goes, or NULL. */
unsigned char *scatter_grow(struct scatter *, size_t b);
/* After the last number: all are in the lists; -1: no memory. */
int scatter_close(struct scatter *, size_t size);

/* Before another thread reads what this one wrote past the cache. */
static inline void
scatter_fence(void)
{
#ifdef __SSE2__
	_mm_sfence();
#endif
}

/*
 * A number of `size` bytes, 4 or 8, to list b of a scatter with this count and
 * these lines: true when the line is full and must go out with scatter_line.
 */
static inline bool
scatter_put(
    size_t *count, unsigned char *line, size_t b, uint64_t x, size_t size)
{
	size_t each = LINE / size, k = count[b]++ % each;
	unsigned char *to = line + b * LINE + k * size;
	uint32_t x4 = (uint32_t)x;

	if (size == sizeof x)
		memcpy(to, &x, sizeof x);
	else
		memcpy(to, &x4, sizeof x4);
	return __builtin_expect(k == each - 1, 0);
}

/* Where the line of list b goes, or NULL when memory is used up. */
static inline unsigned char *
scatter_room(struct scatter *s, size_t b)
{
	unsigned char *at = s->at[b];

	if (((uintptr_t)at & (s->sheets->size - 1)) == 0 &&
	    (at = scatter_grow(s, b)) == NULL)
		return NULL;
	s->at[b] = at + LINE;
	return at;
}

/* -1 when memory is used up. */
static inline int
scatter_line(struct scatter *s, size_t b)
{
	const unsigned char *line = s->line + b * LINE;
	unsigned char *at;

	if (s->equal[b])
		return 0;
	if ((at = scatter_room(s, b)) == NULL)
		return -1;
#ifdef __SSE2__
	for (size_t i = 0; i < LINE; i += sizeof(__m128i))
		_mm_stream_si128(
		    (void *)(at + i), _mm_load_si128((const void *)(line + i)));
#else
	memcpy(at, line, LINE);
#endif
	return 0;
}

#endif
