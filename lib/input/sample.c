#include <sys/mman.h>

#include <string.h>

#include "input/copy.h"
#include "input/mapped.h"
#include "input/sample.h"

static bool
resident(const unsigned char *p)
{
	uintptr_t page = (uintptr_t)p & ~(page_up(1) - 1);
	unsigned char in_core = 0;

	return mincore((void *)page, 1, &in_core) == 0 && (in_core & 1);
}

/*
 * Fills the block with the text from s to the end of its memory page. Binary
 * records start with the one that contains s, and there is at least one.
 * Returns false if the page is not in the page cache.
 */
static bool
stretch(const struct input *in, const struct text_piece *p,
    const unsigned char *s, struct block *b)
{
	size_t size = in->format->size, off = (size_t)(s - p->start);
	const unsigned char *end;

	if (!resident(s))
		return false;
	end = s + (page_up((uintptr_t)s + 1) - (uintptr_t)s);
	b->start = s;
	b->end = end < p->end ? end : p->end;
	if (size != 0) {
		b->start = p->start + off / size * size;
		if ((size_t)(b->end - b->start) < size)
			b->end = b->start + size;
	}
	return true;
}

size_t
input_sample(const struct input *in, struct block *b, size_t n)
{
	uint64_t step = in->total / (n + 1) + 1, at = 0, skip;
	size_t found = 0;

	if (!in->mapped)
		return 0;
	for (size_t i = 0; i < in->npieces; i++) {
		const struct text_piece *p = &in->piece[i];
		uint64_t len = (uint64_t)(p->end - p->start);

		for (skip = (step - at % step) % step; skip < len; skip += step)
			if (found < n &&
			    stretch(in, p, p->start + skip, &b[found]))
				found++;
		at += len;
	}
	return found;
}

int
input_part(const struct input *in, struct block *b, size_t most,
    unsigned char buffer[SAMPLE_PART], struct hp_err *e)
{
	size_t n = (size_t)(b->end - b->start), size = in->format->size;

	if (size > SAMPLE_PART)
		return 0;
	n = n < SAMPLE_PART ? n : SAMPLE_PART;
	if (size > 0 && most < n / size)
		n = most * size;
	if (input_copy(in, buffer, b->start, n, e) == -1)
		return -1;
	b->start = buffer;
	b->end = buffer + n;
	if (size == 0)
		b->start = scan_skip(in->format, b->start, b->end, 1);
	return 0;
}
