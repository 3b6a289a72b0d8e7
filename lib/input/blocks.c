#include <sys/mman.h>

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "input/blocks.h"
#include "input/fill.h"
#include "input/mapped.h"

enum {
	BLOCK_LEAST = 1 << 14,
	BLOCK_FIRST = 1 << 16, /* size of the first block of a pipe in bytes */
	/*
	 * all blocks of all threads together may hold 1/64 of the bytes read so
	 * far
	 */
	BLOCKS = 64
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

/* Returns an upper bound on the memory that keys of long records need. */
static size_t
keys_of(
    const struct input *in, const unsigned char *s, const unsigned char *end)
{
	size_t all = (size_t)(end - s) * in->per_byte, most;

	if (all == 0)
		return 0;
	most = count_records(in, s, end) * in->key_most;
	return all < most ? all : most;
}

/* Returns how many bytes of the memory budget this batch has not used. */
static size_t
free_bytes(const struct input *in, const struct arena *a)
{
	size_t used = a->used + in->text + in->promised;

	if (!in->mapped)
		used += (size_t)(in->end - in->pos);
	return used < in->cap ? in->cap - used : 0;
}

/*
 * Returns whether the memory for text is counted block by block. Mapped text
 * that stays in memory is counted only once, as a whole.
 */
static bool
counted(const struct input *in)
{
	return !in->mapped || in->passing;
}

/* Returns the number of threads that are useful for the bytes read so far. */
static uint64_t
worth(const struct input *in)
{
	return in->total > 0 ? UINT64_MAX : in->come / 2 / in->share;
}

unsigned
input_worth(const struct input *in, unsigned threads)
{
	uint64_t n = worth(in) < INPUT_FEW_THREADS ? INPUT_FEW_THREADS
						   : worth(in);

	return n < threads ? (unsigned)n : threads;
}

/* Returns whether one more thread would be too many for now. */
static bool
early(const struct input *in)
{
	return in->working >= INPUT_FEW_THREADS && in->working >= worth(in);
}

static void
start_work(struct input *in, struct block *b)
{
	while (early(in))
		pthread_cond_wait(&in->due, &in->lock);
	in->working++;
	b->works = true;
}

/* Ends a thread's work. Wakes a thread that waits to start, so that it finds
 * the end of the input. */
static void
end_work(struct input *in, struct block *b)
{
	pthread_mutex_lock(&in->lock);
	in->working -= b->works;
	pthread_cond_signal(&in->due);
	pthread_mutex_unlock(&in->lock);
	b->works = false;
}

void
block_fini(struct input *in, struct block *b)
{
	end_work(in, b);
	free(b->own);
	b->own = NULL;
}

/* Returns the size of the next block in bytes. */
static size_t
block_size(const struct input *in)
{
	if (in->total > 0)
		return in->block;
	return size_clamp(
	    in->come / BLOCKS / in->working, BLOCK_FIRST, in->block);
}

/*
 * Returns whether a block of `want` bytes may be read into the thread's own
 * buffer. There must be room at in->pos, in case put_back must return the text.
 */
static bool
has_own(struct input *in, struct block *b, size_t want)
{
	size_t have = (size_t)(in->end - in->pos);
	size_t room = in->reserved - (size_t)(in->pos - in->base);

	if (in->mapped || !in->passing || have >= want || room <= in->block)
		return false;
	if (b->own == NULL)
		b->own = malloc(in->block + 1);
	return b->own != NULL;
}

/*
 * Reads a block into the thread's own buffer, which is reused: the kernel
 * clears fresh pages, which takes longer than reading. The incomplete record at
 * the end moves to in->pos, in front of the next block. *end is NULL if there
 * is no whole record.
 */
static int
find_own(struct input *in, struct block *b, size_t want, unsigned char **end,
    struct hp_err *e)
{
	unsigned char *base = in->base, *pos = in->pos, *rest;
	size_t reserved = in->reserved, n = (size_t)(in->end - pos);
	int rc;

	memcpy(b->own, pos, n);
	in->base = in->pos = b->own;
	in->end = b->own + n;
	in->reserved = in->block + 1;
	rc = input_fill(in, want, e);
	*end = input_whole(in, want);
	b->passes = *end != NULL && *end > b->own;
	rest = b->passes ? *end : b->own;
	n = (size_t)(in->end - rest);
	memcpy(pos, rest, n);
	in->base = base;
	in->pos = pos;
	in->end = pos + n;
	in->reserved = reserved;
	return rc;
}

/* Moves the text of a block that does not fit the budget back to in->pos, in
 * front of the remaining text. */
static void
put_back(struct input *in, struct block *b, size_t bytes)
{
	size_t rest = (size_t)(in->end - in->pos);

	memmove(in->pos + bytes, in->pos, rest);
	memcpy(in->pos, b->own, bytes);
	in->end += bytes;
	b->passes = false;
}

/* Finds the next block. Returns the same values as input_find. */
static int
find(struct input *in, struct block *b, size_t want, unsigned char **start,
    unsigned char **end, struct hp_err *e)
{
	int rc = 0;

	b->passes = false;
	if (has_own(in, b, want) && find_own(in, b, want, end, e) == -1)
		return -1;
	if (!b->passes)
		rc = input_find(in, want, end, e);
	*start = b->passes ? b->own : in->pos;
	return rc;
}

static int
locked_block(
    struct input *in, const struct arena *a, struct block *b, struct hp_err *e)
{
	bool first = in->given == 0;
	size_t want = block_size(in), have, bytes, text, cost;
	unsigned char *start, *end;
	int rc;

	in->promised -= b->promised;
	if (in->passing && !b->passes)
		in->text -= (size_t)(b->end - b->start);
	else if (in->mapped)
		in->text = in->total;
	b->promised = 0;
	have = free_bytes(in, a);
	/* Use half of the memory for the text, and half for its elements. */
	while (want > BLOCK_LEAST && want > have / 2)
		want /= 2;
	if (!first && want > have / 2 && (in->pos < in->end || !in->eof))
		return INPUT_FULL;
	if ((rc = find(in, b, want, &start, &end, e)) != 0)
		return rc;
	if (end == NULL)
		return INPUT_END;
	bytes = (size_t)(end - start);
	cost = in->format->size != 0 ? bytes / in->format->size * in->per_record
				     : (bytes + 1) * in->per_record;
	text = counted(in) && !b->passes ? bytes : 0;
	if (cost > SIZE_MAX / 2 || text + cost > have)
		cost = count_records(in, start, end) * in->per_record;
	/* The block is a single long record, so its key may be long. */
	if (bytes > in->block)
		cost += keys_of(in, start, end);
	/* The elements contain copies of the records; 1/8 more is for chunks
	 * that are not full. */
	if (in->copied)
		cost += bytes + bytes / 8;
	if (!first && text + cost > have) {
		if (b->passes)
			put_back(in, b, bytes);
		return INPUT_FULL;
	}
	b->start = start;
	b->end = end;
	if (!b->passes)
		in->pos = end;
	b->promised = cost;
	in->promised += cost;
	in->text += text;
	in->given += bytes;
	in->come += bytes;
	if (!early(in))
		pthread_cond_signal(&in->due);
	if (in->progress != NULL && !in->again)
		in->progress->read += bytes;
	return INPUT_BLOCK;
}

/* Returns the pages of a block to the system. The first and last page stay,
 * because they may hold text of other blocks. */
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
	struct block done = { .start = b->start, .end = s };

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

	if (in->passing && !in->present && b->end != NULL && !b->passes)
		drop(b);
	pthread_mutex_lock(&in->lock);
	if (!b->works)
		start_work(in, b);
	rc = locked_block(in, a, b, e);
	pthread_mutex_unlock(&in->lock);
	if (rc == INPUT_BLOCK)
		input_populate(in, b->start, b->end);
	return rc;
}
