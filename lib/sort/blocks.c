/*
 * The input in blocks for any thread, as long as there is room in the budget
 * for them and for what is made of them.
 */
#include <sys/mman.h>

#include "sort/mapped.h"

enum {
	BLOCK_LEAST = 1 << 14
};

static size_t
count_records(
    const struct input *in, const unsigned char *s, const unsigned char *end)
{
	unsigned char delim = in->format->delim;
	size_t n = 0;

	if (in->format->size != 0)
		return (size_t)(end - s) / in->format->size;
	for (; s < end; s++)
		n += *s == delim;
	return n + 1;
}

/* Bytes still free for this run. */
static size_t
free_bytes(const struct input *in, const struct arena *a)
{
	size_t used = a->used + in->text + in->promised;

	if (!in->mapped)
		used += (size_t)(in->end - in->pos);
	return used < in->cap ? in->cap - used : 0;
}

/* Of mapped text, all may be resident at any time. */
static bool
counted(const struct input *in)
{
	return !in->mapped || in->passing;
}

static int
locked_block(
    struct input *in, const struct arena *a, struct block *b, struct hp_err *e)
{
	bool first = in->given == 0;
	size_t want = in->block, have, bytes, text, cost;
	unsigned char *end;
	int rc;

	in->promised -= b->promised;
	if (in->passing)
		in->text -= (size_t)(b->end - b->start);
	else if (in->mapped)
		in->text = in->total;
	b->promised = 0;
	have = free_bytes(in, a);
	/* Half for the text, half for its entries. */
	while (want > BLOCK_LEAST && want > have / 2)
		want /= 2;
	if (!first && want > have / 2 && (in->pos < in->end || !in->eof))
		return INPUT_FULL;
	if ((rc = input_find(in, want, &end, e)) != 0)
		return rc;
	if (end == NULL)
		return INPUT_END;
	bytes = (size_t)(end - in->pos);
	cost = in->format->size != 0 ? bytes / in->format->size * in->per_record
				     : (bytes + 1) * in->per_record;
	text = counted(in) ? bytes : 0;
	if (cost > SIZE_MAX / 2 || text + cost > have)
		cost = count_records(in, in->pos, end) * in->per_record;
	/* A long record: otherwise keys are much shorter than the budget. */
	if (bytes > in->block)
		cost += bytes * in->per_byte;
	/* The lists' chunks are not quite full. */
	if (in->copied)
		cost += bytes + bytes / 8;
	if (!first && text + cost > have)
		return INPUT_FULL;
	b->start = in->pos;
	b->end = in->pos = end;
	b->promised = cost;
	in->promised += cost;
	in->text += text;
	in->given += bytes;
	if (in->progress != NULL && !in->again)
		in->progress->read += bytes;
	return INPUT_BLOCK;
}

/* The memory of a block that is done with; its first and last pages may be
 * its neighbours' too. */
static void
drop(const struct block *b)
{
	uintptr_t start = page_up((uintptr_t)b->start);
	uintptr_t end = (uintptr_t)b->end & ~(page_up(1) - 1);

	if (start < end)
		madvise((void *)start, end - start, MADV_DONTNEED);
}

void
input_keep(struct input *in, struct block *b, const unsigned char *s,
    const unsigned char *end)
{
	struct block done = { b->start, s, 0 };

	drop(&done);
	pthread_mutex_lock(&in->lock);
	in->text -= (size_t)(s - b->start);
	pthread_mutex_unlock(&in->lock);
	b->start = end;
}

int
input_block(
    struct input *in, const struct arena *a, struct block *b, struct hp_err *e)
{
	int rc;

	if (in->passing && b->end != NULL)
		drop(b);
	pthread_mutex_lock(&in->lock);
	rc = locked_block(in, a, b, e);
	pthread_mutex_unlock(&in->lock);
	/* Many pages at once cost a tenth of a fault for each. */
	if (rc == INPUT_BLOCK && in->mapped && !in->present) {
		uintptr_t start = (uintptr_t)b->start & ~(page_up(1) - 1);
		madvise((void *)start, (uintptr_t)b->end - start,
		    MADV_POPULATE_READ);
	}
	return rc;
}
