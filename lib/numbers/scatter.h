#ifndef HP_NUMBERS_SCATTER_H
#define HP_NUMBERS_SCATTER_H

/*
 * Distributing numbers over many lists at the speed of memory.
 *
 * The numbers for a list are gathered in a line.  A full line is written past
 * the cache: so the memory of the lists is not read before it is written, and
 * takes no room in the cache (write combining as in Wassenberg and Sanders,
 * Engineering a multi-core radix sort, 2011).
 *
 * A list is a chain of sheets from one arena, so the numbers need not be
 * counted beforehand.  If all numbers of a list are equal, only their count is
 * kept.
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
	/* Bytes: two lines of the cache, since the processor cannot foretell
	 * the branch that is taken when a line is full. */
	LINE = 128
};

/* Its address is a multiple of its size. */
struct sheet {
	struct sheet *next;
	unsigned char unused[LINE - sizeof(struct sheet *)];
	unsigned char data[];
};

/* One thread's sheets. */
struct sheets {
	struct heap heap;
	size_t
	    size; /* of a sheet: a power of 2; a slab (pile.h) is a multiple */
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
	const bool *equal;    /* lists of which only the count is kept */
	size_t *count;	      /* numbers in each list */
	unsigned char *line;  /* LINE bytes for each list */
	unsigned char **at;   /* where the next line goes; NULL: nowhere yet */
	struct sheet **first; /* the first sheet of each list */
};

/* n: the lists.  equal: for each of them; borrowed. */
int scatter_init(struct scatter *, struct sheets *, size_t n, const bool *equal,
    struct hp_err *);
void scatter_fini(struct scatter *);
/* A new sheet for list b: where its first line goes, or NULL. */
unsigned char *scatter_grow(struct scatter *, size_t b);
/* After the last number: writes the lines that are not full.  -1 when the
 * memory is used up. */
int scatter_close(struct scatter *, size_t size);

/* Needed before another thread reads lines that this thread has written. */
static inline void
scatter_fence(void)
{
#ifdef __SSE2__
	_mm_sfence();
#endif
}

/*
 * Puts a number of `size` bytes, 4 or 8, into the line of list b.  count and
 * line are those of the scatter.  Returns true if the line is full: then
 * scatter_line must be called.
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

/* Writes the full line of list b.  -1 when the memory is used up. */
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
