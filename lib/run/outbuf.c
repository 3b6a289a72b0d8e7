#include <stdlib.h>
#include <string.h>

#include "run/outbuf.h"

enum {
	/*
	 * Bytes per write through the page cache. Data of this size is still in
	 * the processor's L2 cache when it is written.
	 */
	WORTH = 1 << 17
};

int
outbuf_init(struct outbuf *b, struct output *out, size_t cap, struct hp_err *e)
{
	/*
	 * The size is a multiple of the page size, so that the buffer can be
	 * written with O_DIRECT without a copy. One more page is allocated,
	 * because the data may start in the middle of a page.
	 */
	cap = direct_align(cap);
	*b = (struct outbuf){ .out = out, .cap = cap, .full = cap };
	b->buf = aligned_alloc(DIRECT_ALIGN, cap + DIRECT_ALIGN);
	if (b->buf == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", out->name);
	return 0;
}

/*
 * If the output bypasses the page cache, data in the buffer must have the same
 * offset within a page as in the file. Moves the data to this offset.
 */
static void
shift(struct outbuf *b)
{
	size_t lead = 0;

	if (b->out->uncached.on && b->at != -1)
		lead = (size_t)b->at % DIRECT_ALIGN;
	if (lead != b->lead)
		memmove(b->buf + lead, b->buf + b->lead, b->len);
	b->lead = lead;
}

/*
 * Sets how many bytes the buffer must hold before it is written. A thread that
 * waits for its turn fills the whole buffer. Disks and pipes get whole buffers,
 * because large writes are faster. Writes through the page cache are smaller,
 * so that the data is still in the processor's cache.
 */
static void
set_full(struct outbuf *b)
{
	bool cached = b->out->seekable && b->out->tape == NULL &&
	    !b->out->uncached.on;

	b->full = b->at == -1 || !cached || b->cap < WORTH ? b->cap : WORTH;
}

void
outbuf_start(struct outbuf *b, off_t at)
{
	b->at = at;
	b->bytes = 0;
	b->len = 0;
	shift(b);
	set_full(b);
}

void
outbuf_start_in_turn(struct outbuf *b, size_t turn)
{
	outbuf_start(b, -1);
	b->in_turn = true;
	b->turn = turn;
}

static int
take_turn(struct outbuf *b)
{
	if (b->at == -1)
		b->at = output_wait(b->out, b->turn);
	return b->at == -1 ? -1 : 0;
}

int
outbuf_end(struct outbuf *b)
{
	if (!b->in_turn)
		return 0;
	if (take_turn(b) == -1)
		return -1;
	output_pass(b->out, b->at);
	return 0;
}

void
outbuf_fini(struct outbuf *b)
{
	free(b->buf);
	b->buf = NULL;
}

static int
write_out(struct outbuf *b, const void *s, size_t n, struct hp_err *e)
{
	if (n == 0)
		return 0;
	if (take_turn(b) == -1 || output_write(b->out, s, n, b->at, e) == -1)
		return -1;
	b->at += (off_t)n;
	return 0;
}

/*
 * Writes the buffer. If `pages` is set, an incomplete last page stays in the
 * buffer.
 */
static int
flush(struct outbuf *b, bool pages, struct hp_err *e)
{
	size_t n = b->len, rest = 0;

	if (n > 0 && take_turn(b) == -1)
		return -1;
	shift(b);
	if (pages && b->out->uncached.on)
		rest = (b->lead + n) % DIRECT_ALIGN;
	n -= rest < n ? rest : n;
	if (write_out(b, b->buf + b->lead, n, e) == -1)
		return -1;
	b->lead += n;
	b->len -= n;
	shift(b);
	set_full(b);
	return 0;
}

int
outbuf_flush(struct outbuf *b, struct hp_err *e)
{
	return flush(b, false, e);
}

/*
 * Makes space in the buffer for a record of n bytes. If another thread is
 * writing and the buffer has space for the record, there is nothing to do.
 * Otherwise writes the buffer.
 */
static int
make_room(struct outbuf *b, size_t n, struct hp_err *e)
{
	if (b->cap - b->len < n || !output_is_busy(b->out))
		return flush(b, n <= b->cap, e);
	/*
	 * Another thread is writing. Continue the merge and try again a little
	 * later.
	 */
	b->full = b->len + n + WORTH / 2;
	b->full = b->full < b->cap ? b->full : b->cap;
	return 0;
}

int
outbuf_put_full(struct outbuf *b, struct span s, int delim, struct hp_err *e)
{
	size_t over = delim != -1;

	if (make_room(b, s.len + over, e) == -1)
		return -1;
	if (b->cap < s.len + over) { /* longer than the buffer */
		if (write_out(b, s.at, s.len, e) == -1)
			return -1;
		s.len = 0;
		shift(b);
	}
	outbuf_copy(b, s, delim);
	return 0;
}
