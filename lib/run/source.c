#include <sys/stat.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/space.h"
#include "record/keybuf.h"
#include "run/feed.h"
#include "run/filter.h"
#include "run/source.h"

static int
start(struct source *s, size_t buffer, struct hp_err *e)
{
	size_t least = 2 * s->view->order->format.size;

	s->cap = buffer > least ? buffer : least;
	if ((s->buf = space_grow(NULL, 0, s->cap)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", s->name);
	return 0;
}

int
source_open(struct source *s, const struct view *v, const char *path, int fd,
    size_t buffer, struct hp_err *e)
{
	*s = (struct source){
		.view = v, .name = path, .fd = fd, .at = -1, .left = UINT64_MAX
	};
	if (strcmp(path, "-") == 0)
		s->name = "standard input";
	if (fd == -1) {
		if ((s->fd = io_open(path, e)) == -1)
			return -1;
		s->owned = true;
	}
	s->size = io_size(s->fd);
	posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	return start(s, buffer, e);
}

/*
 * Opens a regular file and checks that it has at least `end` bytes. Returns its
 * descriptor, or -1.
 */
static int
open_extent(const char *path, uint64_t end, struct hp_err *e)
{
	int fd = io_open(path, e);
	struct stat st;

	if (fd == -1)
		return -1;
	if (fstat(fd, &st) == -1)
		hp_fail_errno(e, HP_IO, "%s", path);
	else if ((uint64_t)st.st_size < end)
		hp_fail(e, HP_INPUT,
		    "%s: the extent ends at byte %" PRIu64
		    ", behind the end of the file",
		    path, end);
	else
		return fd;
	io_close(fd);
	return -1;
}

int
source_open_extent(struct source *s, const struct view *v, const char *path,
    uint64_t at, uint64_t bytes, size_t buffer, struct hp_err *e)
{
	int fd = open_extent(path, at + bytes, e);

	if (fd == -1) {
		*s = (struct source){ .fd = -1 };
		return -1;
	}
	if (bytes < buffer)
		buffer = bytes;
	if (source_extent(s, v, fd, (off_t)at, bytes, path, buffer, e) == -1) {
		io_close(fd);
		return -1;
	}
	s->owned = true;
	return 0;
}

int
source_feed(struct source *s, const struct view *v, struct feed *f,
    size_t buffer, struct hp_err *e)
{
	*s = (struct source){ .view = v,
		.name = f->path,
		.fd = -1,
		.at = -1,
		.left = UINT64_MAX,
		.feed = f };
	return feed_open(f, e) == -1 ? -1 : start(s, buffer, e);
}

int
source_extent(struct source *s, const struct view *v, int fd, off_t at,
    uint64_t bytes, const char *name, size_t buffer, struct hp_err *e)
{
	*s = (struct source){ .view = v,
		.fd = fd,
		.name = name,
		.at = at,
		.left = bytes,
		.eof = bytes == 0 };
	return start(s, buffer, e);
}

int
source_tape(struct source *s, const struct view *v, struct store *store,
    const struct tape *t, uint64_t from, uint64_t bytes, size_t buffer,
    struct hp_err *e)
{
	*s = (struct source){ .view = v,
		.fd = -1,
		.name = t->file->name,
		.at = (off_t)from,
		.store = store,
		.tape = t,
		.left = bytes,
		.eof = bytes == 0 };
	if (t->by_program) {
		s->at = -1;
		s->filter = filter_unpack(store, t, &s->fd, e);
		if (s->filter == NULL)
			return -1;
	}
	return start(s, buffer, e);
}

void
source_move(struct source *s, uint64_t from, uint64_t bytes)
{
	s->at = (off_t)from;
	s->left = bytes;
	s->eof = bytes == 0;
	s->pos = s->end = s->seen = 0;
	s->item = s->before = (struct item){ 0 };
	s->done = s->put = false;
	s->nrec = 0;
}

void
source_suspend(struct source *s)
{
	bool again = s->item.record.at != NULL && !s->done;
	size_t keep = again ? (size_t)(s->item.record.at - s->buf) : s->pos;
	uint64_t back = s->end - keep;

	if (s->feed != NULL || s->filter != NULL ||
	    (s->at == -1 && lseek(s->fd, -(off_t)back, SEEK_CUR) == -1))
		return;
	if (s->at != -1)
		s->at -= (off_t)back;
	s->nrec -= again;
	if (s->left != UINT64_MAX)
		s->left += back;
	s->eof = s->eof && back == 0;
	s->pos = s->end = s->seen = 0;
	s->item = s->before = (struct item){ 0 };
	keybuf_fini(&s->keys[0]);
	keybuf_fini(&s->keys[1]);
	space_free(s->buf, s->cap);
	s->buf = NULL;
}

int
source_resume(struct source *s, size_t buffer, struct hp_err *e)
{
	s->room = NULL;
	s->grown = false;
	return s->buf != NULL ? 0 : start(s, buffer, e);
}

void
source_close(struct source *s)
{
	if (s->owned)
		io_close(s->fd);
	filter_stop(s->filter);
	space_free(s->buf, s->cap);
	keybuf_fini(&s->keys[0]);
	keybuf_fini(&s->keys[1]);
	*s = (struct source){ 0 };
}

/*
 * Finds the record at s->pos. Stores its length in *len and the length of its
 * delimiter in *over. Returns SOURCE_EMPTY if the buffer does not hold all of
 * the record.
 */
static int
find(struct source *s, size_t *len, size_t *over, struct hp_err *e)
{
	const struct format *f = &s->view->order->format;
	size_t have = s->end - s->pos;
	const unsigned char *at = s->buf + s->pos;
	const unsigned char *p = scan_find(f, at, s->seen, s->buf + s->end);

	s->seen = p == NULL ? have : 0;
	if (p == NULL && !s->eof)
		return SOURCE_EMPTY;
	*len = p == NULL ? have : (size_t)(p - at);
	*over = p == NULL ? 0 : scan_delim(f);
	if (p != NULL || f->size == 0)
		return 0;
	return hp_fail(e, HP_INPUT,
	    "%s: record %" PRIu64 ": %zu bytes, but a record has %zu", s->name,
	    s->nrec + 1, have, f->size);
}

bool
source_rises(const struct source *s, struct span next, uint64_t prefix)
{
	struct item item = { .record = next, .prefix = prefix };

	return s->item.record.at != NULL &&
	    item_compare(s->view, &s->item, &item) <= 0;
}

/* Skips the records of the header. Returns the same values as source_next. */
static int
skip_header(struct source *s, struct hp_err *e)
{
	size_t len, over;
	int rc;

	while (
	    s->skipped.records < s->header->n && (s->pos < s->end || !s->eof)) {
		if (s->pos == s->end)
			return SOURCE_EMPTY;
		if ((rc = find(s, &len, &over, e)) != 0)
			return rc;
		header_add(
		    &s->skipped, &s->view->order->format, s->buf + s->pos, len);
		s->pos += len + over;
		s->nrec++;
	}
	header_compare(s->header, &s->skipped, s->name);
	s->header = NULL;
	return 0;
}

int
source_next(struct source *s, struct hp_err *e)
{
	size_t len, over;
	int rc;

	if (s->header != NULL && (rc = skip_header(s, e)) != 0)
		return rc;
	if (s->pos == s->end && s->eof) {
		s->done = true;
		return 0;
	}
	if (s->pos == s->end)
		return SOURCE_EMPTY;
	if ((rc = find(s, &len, &over, e)) != 0)
		return rc;
	source_prefetch(s->buf + s->pos, len);
	s->before = s->item;
	s->item.record = (struct span){ s->buf + s->pos, len };
	s->pos += len + over;
	if (item_load(s->view, &s->item, &s->keys[s->nrec % 2]) == -1)
		return hp_fail_errno(e, HP_NOMEM, "%s", s->name);
	s->nrec++;
	if (s->before.record.at == NULL || s->before.prefix < s->item.prefix ||
	    item_compare(s->view, &s->before, &s->item) <= 0)
		return 0;
	return SOURCE_DISORDER;
}
