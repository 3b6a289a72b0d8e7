#ifndef HP_NUMBERS_SCATTER_H
#define HP_NUMBERS_SCATTER_H

/*
 * Distributes numbers over many lists at memory speed.
 *
 * Numbers are collected in one cache-resident buffer per list, called a line. A
 * full line is written with non-temporal stores. So the memory of the lists is
 * not read before it is written and does not occupy the cache (write combining,
 * as in Wassenberg and Sanders, Engineering a multi-core radix sort, 2011).
 *
 * A list is a chain of sheets from one arena, so the numbers need not be
 * counted beforehand. If all numbers of a list are equal, only their count is
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
	/*
	 * Size in bytes of a line, a buffer that collects the numbers of one
	 * list: two cache lines. With one cache line, the branch for a full
	 * line would be taken, and mispredicted, more often.
	 */
	LINE = 128
};

/* Aligned to its size. */
struct sheet {
	struct sheet *next;
	unsigned char unused[LINE - sizeof(struct sheet *)];
	unsigned char data[];
};

/* The sheets of one thread. */
struct sheets {
	struct heap heap;
	/*
	 * Size of a sheet, which is a block of a list, in bytes: a power of 2.
	 * The heap gets its memory in slabs, and a slab is a whole number of
	 * sheets.
	 */
	size_t size;
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
	const bool *equal;   /* for each list: keep only the count */
	size_t *count;	     /* numbers in each list */
	unsigned char *line; /* the buffer of each list, LINE bytes each */
	/*
	 * where in its current sheet (memory block) each list stores its next
	 * full buffer; NULL: the list has no sheet yet
	 */
	unsigned char **at;
	struct sheet **first; /* first sheet of each list */
};

/*
 * Prepares n empty lists. If equal[i] is true, all numbers of list i are equal,
 * and only their count is kept. The array must outlive the lists.
 */
int scatter_init(struct scatter *, struct sheets *, size_t n, const bool *equal,
    struct hp_err *);
void scatter_fini(struct scatter *);
/*
 * Appends an empty sheet to list b. Returns the address for its first numbers,
 * or NULL if memory is full.
 */
unsigned char *scatter_grow(struct scatter *, size_t b);
/*
 * Writes the buffers that are partly filled. Call this function after the last
 * number. Returns -1 if memory is full.
 */
int scatter_close(struct scatter *, size_t size);

/*
 * Makes the numbers that this thread has written visible to other threads. Call
 * this function before another thread reads them.
 */
static inline void
scatter_fence(void)
{
#ifdef __SSE2__
	_mm_sfence();
#endif
}

/*
 * Puts a number of `size` bytes (4 or 8) into the buffer of list b. `count` and
 * `line` are the members of the struct scatter. Returns true if the buffer is
 * full; the caller must then call scatter_line.
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

/*
 * Returns the address to which the next full buffer of list b is written, or
 * NULL if memory is full.
 */
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

/*
 * Appends the full buffer of list b to the list in memory. Returns -1 if memory
 * is full.
 */
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
