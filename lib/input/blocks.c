#include <sys/mman.h>

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "input/blocks.h"
#include "input/copy.h"
#include "input/fill.h"
#include "input/mapped.h"

enum {
	BLOCK_LEAST = 1 << 14,
	/* size in bytes of the first block that is read from a pipe */
	BLOCK_FIRST = 1 << 16,
	/*
	 * A block read from a pipe has at most 1/64 of the bytes read so far,
	 * divided by the number of working threads.
	 */
	BLOCKS = 64
};

static size_t
count_records(
    const struct input *in, const unsigned char *s, const unsigned char *end)
{
	return (size_t)scan_count(in->format, s, end) + scan_delim(in->format);
}

/*
 * Returns an upper bound on the memory for the keys that will be built from the
 * long records between s and end.
 */
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

/*
 * Returns how many bytes of the memory budget are free. Used memory is that of
 * the text, of the elements that represent records, and of elements that
 * threads are still making.
 */
static size_t
free_bytes(const struct input *in, const struct arena *a)
{
	size_t used = a->used + in->text + in->promised;

	if (!in->mapped)
		used += (size_t)(in->end - in->pos);
	return used < in->cap ? in->cap - used : 0;
}

/*
 * Returns whether each block that a thread takes adds to the used memory.
 * Mapped text that stays in memory does not: it is counted once as a whole.
 */
static bool
counted(const struct input *in)
{
	return !in->mapped || in->passing;
}

/*
 * Returns how many threads are useful. There is no limit for an input of known
 * size. For a pipe the number grows with the bytes that have been read.
 */
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

/*
 * Returns whether there are already as many threads as are useful for the bytes
 * that have been read so far.
 */
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

/*
 * Ends the work of a thread on the input. Wakes one thread that waits to start,
 * which then finds the end of the input.
 */
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

/* Returns how many bytes of input the next block should have. */
static size_t
block_size(const struct input *in)
{
	if (in->total > 0)
		return in->block;
	return size_clamp(
	    in->come / BLOCKS / in->working, BLOCK_FIRST, in->block);
}

static bool
has_buffer(const struct input *in, struct block *b)
{
	if (b->own == NULL)
		b->own = malloc(in->block + 1);
	return b->own != NULL;
}

/*
 * Returns whether the thread may read a block of `want` bytes into its own
 * buffer, instead of the shared address range. The shared range must still have
 * space for the block, because put_back may move the block there.
 */
static bool
has_own(struct input *in, struct block *b, size_t want)
{
	size_t have = (size_t)(in->end - in->pos);
	size_t room = in->reserved - (size_t)(in->pos - in->base);

	return !in->mapped && in->passing && have < want && room > in->block &&
	    has_buffer(in, b);
}

/*
 * Reads a block into the thread's own buffer. Reusing one buffer is faster than
 * touching new pages, which the kernel must clear first. The incomplete record
 * at the end of the buffer moves to in->pos, where the next block begins. *end
 * is NULL if the buffer has no whole record.
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

/*
 * Moves the text of a block from the thread's own buffer back to the shared
 * address range. It goes in front of the text that no thread has taken yet. A
 * later batch takes the block again. This is necessary if memory has no room
 * for the elements that represent the records of the block.
 */
static void
put_back(struct input *in, struct block *b, size_t bytes)
{
	size_t rest = (size_t)(in->end - in->pos);

	memmove(in->pos + bytes, in->pos, rest);
	memcpy(in->pos, b->own, bytes);
	in->end += bytes;
	b->passes = false;
}

/*
 * Returns whether the block was read into the thread's own buffer, so that the
 * shared address range does not have it.
 */
static bool
is_read(const struct input *in, const struct block *b)
{
	return b->passes && !in->mapped;
}

/*
 * Returns whether the next block of a mapped file is to be copied to the
 * thread's own buffer (input_copy). When the input is read again, records are
 * known by their addresses in the mapping (bucket/rounds.h).
 */
static bool
reads_apart(const struct input *in)
{
	return in->mapped && in->passing && !in->again && !in->present &&
	    in->piece[in->at].fd != -1;
}

/*
 * Finds the text of the next block: between *start and *end. Returns the same
 * values as input_find.
 */
static int
find(struct input *in, struct block *b, size_t want, unsigned char **start,
    unsigned char **end, struct hp_err *e)
{
	int rc = 0;

	b->passes = false;
	if (has_own(in, b, want) && find_own(in, b, want, end, e) == -1)
		return -1;
	if (reads_apart(in) && has_buffer(in, b)) {
		*end = input_whole_unseen(in, want);
		b->passes = *end != NULL;
	}
	if (!b->passes)
		rc = input_find(in, want, end, e);
	*start = is_read(in, b) ? b->own : in->pos;
	return rc;
}

/*
 * Returns whether the text is the end of a file whose last line lacks a
 * delimiter. The output gets one.
 */
static bool
lacks_delim(const struct input *in, const unsigned char *start,
    const unsigned char *end)
{
	return scan_delim(in->format) != 0 && start < end && end == in->end &&
	    end[-1] != in->format->delim;
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
	if (in->passing && !is_read(in, b))
		in->text -= (size_t)(b->end - b->start);
	else if (in->mapped)
		in->text = in->total;
	b->promised = 0;
	have = free_bytes(in, a);
	/*
	 * Let the block take at most half of the free memory; the other half is
	 * for the elements that represent its records.
	 */
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
	text = counted(in) && !is_read(in, b) ? bytes : 0;
	if (cost > SIZE_MAX / 2 || text + cost > have) {
		cost = count_records(in, start, end) * in->per_record;
		/* Counting has mapped the pages, so a copy saves nothing. */
		if (in->mapped)
			b->passes = false;
	}
	/*
	 * The block exceeds the usual size, so it consists of one long record.
	 * The key built from the record may be long, too.
	 */
	if (bytes > in->block)
		cost += keys_of(in, start, end);
	/*
	 * Short records are copied into chunks of memory. Add 1/8, because the
	 * end of each chunk remains unused.
	 */
	if (in->copied)
		cost += bytes + bytes / 8;
	if (!first && text + cost > have) {
		if (is_read(in, b))
			put_back(in, b, bytes);
		return INPUT_FULL;
	}
	b->start = start;
	b->end = end;
	if (!is_read(in, b))
		in->pos = end;
	b->promised = cost;
	in->promised += cost;
	in->text += text;
	in->given += bytes + lacks_delim(in, start, end);
	in->come += bytes;
	if (!early(in))
		pthread_cond_signal(&in->due);
	if (in->progress != NULL && !in->again)
		in->progress->read += bytes;
	return INPUT_BLOCK;
}

/*
 * Gives the memory of a block back to the system, except its first and last
 * page: these may also hold text of other blocks.
 */
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

/* Replaces the text of a block, which is that of a mapped file, by a copy. */
static int
copy_block(const struct input *in, struct block *b, struct hp_err *e)
{
	size_t n = (size_t)(b->end - b->start);

	if (input_copy(in, b->own, b->start, n, e) == -1)
		return -1;
	b->start = b->own;
	b->end = b->own + n;
	return INPUT_BLOCK;
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
	if (rc == INPUT_BLOCK && in->mapped && b->passes)
		return copy_block(in, b, e);
	if (rc == INPUT_BLOCK)
		input_populate(in, b->start, b->end);
	return rc;
}
