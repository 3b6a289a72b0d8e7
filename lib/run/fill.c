#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/space.h"
#include "run/fill.h"
#include "run/filter.h"

enum {
	/*
	 * Size in bytes below which a growing buffer doubles. Larger buffers
	 * grow by a quarter.
	 */
	DOUBLED = 1 << 20,
	/* Maximum number of bytes per read into a buffer that has grown. */
	AT_ONCE = 1 << 20
};

static void
shift_span(struct span *s, size_t by)
{
	if (s->at != NULL)
		s->at -= by;
}

/*
 * Reserves memory to grow the buffer by `bytes`. Returns false if the memory
 * for all sources is used up. Exception: if no other source has grown, this
 * source may use more.
 */
static bool
take_room(struct source *s, size_t bytes)
{
	struct room *r = s->room;
	int64_t more = (int64_t)(room_for(s->view, s->cap + bytes) -
	    room_for(s->view, s->cap));
	bool others;

	if (r == NULL)
		return true;
	others = r->grown > s->grown;
	if (atomic_fetch_sub(&r->left, more) < more && others) {
		r->left += more;
		return false;
	}
	r->grown += !s->grown;
	return true;
}

static int
grow(struct source *s, struct hp_err *e)
{
	size_t more = s->cap < DOUBLED ? s->cap : s->cap / 4;
	unsigned char *grown;

	if (!take_room(s, more))
		return SOURCE_FULL;
	if (s->cap > SIZE_MAX / 2 ||
	    (grown = space_grow(s->buf, s->cap, s->cap + more)) == NULL)
		return hp_fail(e, HP_NOMEM,
		    "%s: record %" PRIu64 " does not fit into memory", s->name,
		    s->nrec + 1);
	if (s->item.record.at != NULL)
		s->item.record.at = grown;
	s->buf = grown;
	s->cap += more;
	s->grown = true;
	return 0;
}

/*
 * Moves the current record and the data behind it to the start of the buffer.
 * If the buffer is still full, grows it, which may change its address.
 */
static int
make_room(struct source *s, struct hp_err *e)
{
	size_t keep = s->item.record.at == NULL
	    ? s->pos
	    : (size_t)(s->item.record.at - s->buf);

	if (keep > 0) {
		memmove(s->buf, s->buf + keep, s->end - keep);
		s->pos -= keep;
		s->end -= keep;
		shift_span(&s->item.record, keep);
	}
	return s->end < s->cap ? 0 : grow(s, e);
}

bool
source_wants(const struct source *s)
{
	return s->buf != NULL && !s->eof && s->end < s->cap;
}

static ssize_t
read_some(struct source *s, void *to, size_t n, struct hp_err *e)
{
	ssize_t got;

	if (s->feed != NULL)
		return feed_read(s->feed, to, n, e);
	if (s->tape != NULL && s->filter == NULL)
		return tape_read(s->tape, s->store, (uint64_t)s->at, to, n, e);
	if (s->at != -1)
		got = io_pread(s->fd, to, n, s->at);
	else
		do
			got = read(s->fd, to, n);
		while (got == -1 && errno == EINTR);
	return got == -1 ? hp_fail_errno(e, HP_IO, "%s", s->name) : got;
}

int
source_fill(struct source *s, struct hp_err *e)
{
	size_t n;
	ssize_t got;
	int rc;

	if ((s->end == s->cap || s->pos > s->cap / 2) &&
	    (rc = make_room(s, e)) != 0)
		return rc;
	n = s->cap - s->end;
	/*
	 * Read only a little at a time into a buffer that has grown. Pages of
	 * the buffer that were never written take no memory.
	 */
	n = s->grown && n > AT_ONCE ? AT_ONCE : n;
	n = n < s->left ? n : (size_t)s->left;
	if ((got = read_some(s, s->buf + s->end, n, e)) == -1)
		return -1;
	s->end += (size_t)got;
	if (s->at != -1)
		s->at += got;
	if (s->left != UINT64_MAX)
		s->left -= (uint64_t)got;
	s->eof = got == 0 || s->left == 0;
	if (got == 0 && s->at != -1 && s->left > 0)
		return hp_fail(
		    e, HP_IO, "%s: cut short while it was read", s->name);
	if (s->filter != NULL && s->eof)
		return filter_done(s->filter, s->left == 0, e);
	return s->eof ? io_check_end(s->fd, s->size, s->name, e) : 0;
}
