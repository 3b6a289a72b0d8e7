#include <sys/mman.h>

#include <stdlib.h>

#include "base/space.h"
#include "kernel/pile.h"

/*
 * Lets the arena begin at the address of a huge page, if that leaves at least
 * `least` bytes.
 */
static void
align(struct arena *a, size_t least)
{
	size_t before = -(uintptr_t)a->base & (HUGE_PAGE - 1);

	if (before == 0 || a->reserved < least + before)
		return;
	munmap(a->base, before);
	a->base += before;
	a->reserved -= before;
}

int
arena_init(struct arena *a, size_t reserved, size_t least, size_t slab,
    size_t huge, struct hp_err *e)
{
	*a = (struct arena){ .reserved = reserved, .slab = slab };
	a->base = space_reserve(&a->reserved, least);
	if (a->base == NULL)
		return hp_fail_errno(e, HP_NOMEM, "memory of %zu bytes", least);
	/*
	 * Huge pages reduce page faults and TLB misses.  At least half of the
	 * last one must be used.
	 */
	huge = (huge + HUGE_PAGE / 2) & -(size_t)HUGE_PAGE;
	if (huge > 0) {
		align(a, least);
		madvise(a->base, huge < a->reserved ? huge : a->reserved,
		    MADV_HUGEPAGE);
	}
	return 0;
}

void
arena_fini(struct arena *a)
{
	if (a->base != NULL)
		munmap(a->base, a->reserved);
	a->base = NULL;
}

void
arena_reset(struct arena *a)
{
	a->used = 0;
}

void
arena_trim(struct arena *a)
{
	madvise(a->base + a->used, a->reserved - a->used, MADV_DONTNEED);
}

/*
 * Takes at least n bytes from the arena as the heap's new slab. The unused end
 * of the previous slab is lost.
 */
static int
next_slab(struct arena *a, size_t n, unsigned char **from, unsigned char **end)
{
	size_t size = n > a->slab ? (n + CHUNK - 1) / CHUNK * CHUNK : a->slab;
	size_t at = atomic_fetch_add(&a->used, size);

	if (at + size > a->reserved)
		return -1;
	*from = a->base + at;
	*end = *from + size;
	return 0;
}

/*
 * Returns an unused chunk (a block for a list), or NULL if the arena is full.
 */
static struct chunk *
heap_chunk(struct heap *h)
{
	struct chunk *c = h->spare;

	if (c != NULL) {
		h->spare = c->next;
		return c;
	}
	if ((size_t)(h->end - h->at) < CHUNK &&
	    next_slab(h->arena, CHUNK, &h->at, &h->end) == -1)
		return NULL;
	c = (struct chunk *)(void *)h->at;
	h->at += CHUNK;
	return c;
}

void *
heap_bytes(struct heap *h, size_t n)
{
	void *p;

	n = (n + 7) & ~(size_t)7;
	if ((size_t)(h->loose_end - h->loose) < n &&
	    next_slab(h->arena, n, &h->loose, &h->loose_end) == -1)
		return NULL;
	p = h->loose;
	h->loose += n;
	return p;
}

int
pile_init(struct pile *p, struct heap *h, size_t n, struct hp_err *e)
{
	*p = (struct pile){ .heap = h, .n = n };
	p->at = calloc(n, sizeof *p->at);
	p->list = calloc(n, sizeof *p->list);
	if (p->at == NULL || p->list == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%zu lists", n);
	return 0;
}

void
pile_fini(struct pile *p)
{
	free(p->at);
	free(p->list);
	*p = (struct pile){ 0 };
}

/* Stores in the last chunk of list b how many bytes of it are in use. */
static struct chunk *
close_chunk(struct pile *p, size_t b)
{
	unsigned char *at = p->at[b];
	struct chunk *last;

	if (at == NULL)
		return NULL;
	/*
	 * Chunks are aligned to their size, so the chunk is found from an
	 * address in it. If the chunk is full, `at` points just after it; hence
	 * the - 1.
	 */
	last = (struct chunk *)(void *)(at - 1 -
	    ((uintptr_t)(at - 1) & (CHUNK - 1)));
	last->used = (size_t)(at - last->data);
	p->list[b].bytes += last->used;
	return last;
}

unsigned char *
pile_grow(struct pile *p, size_t b)
{
	struct chunk *c = heap_chunk(p->heap), *last;

	if (c == NULL)
		return NULL;
	c->next = NULL;
	if ((last = close_chunk(p, b)) == NULL)
		p->list[b].first = c;
	else
		last->next = c;
	return c->data;
}

void
pile_close(struct pile *p)
{
	for (size_t b = 0; b < p->n; b++)
		close_chunk(p, b);
}
