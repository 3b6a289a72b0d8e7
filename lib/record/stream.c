#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "record/scan.h"
#include "record/stream.h"

enum {
	BUFFER = 1 << 18
};

int
reader_init(struct reader *r, int fd, const char *name,
    const struct format *format, struct hp_err *e)
{
	size_t cap = format->size > BUFFER ? format->size : BUFFER;

	*r = (struct reader){ .fd = fd,
		.name = name,
		.format = format,
		.cap = cap,
		.size = io_size(fd),
		.left = UINT64_MAX };
	if ((r->buf = malloc(cap)) == NULL)
		return hp_fail(e, HP_NOMEM, "%s", name);
	return 0;
}

int
reader_open(struct reader *r, const char *path, const struct format *format,
    struct hp_err *e)
{
	int fd = io_open(path, e);

	if (fd == -1) {
		*r = (struct reader){ .fd = -1 };
		return -1;
	}
	if (strcmp(path, "-") == 0)
		path = "standard input";
	if (reader_init(r, fd, path, format, e) == -1) {
		io_close(fd);
		return -1;
	}
	r->owned = true;
	return 0;
}

int
reader_extent(
    struct reader *r, uint64_t offset, uint64_t bytes, struct hp_err *e)
{
	/*
	 * An offset too large for off_t becomes negative; lseek then fails with
	 * EINVAL.
	 */
	if (lseek(r->fd, (off_t)offset, SEEK_SET) == -1)
		return hp_fail_errno(
		    e, HP_IO, "%s: seek to byte %" PRIu64, r->name, offset);
	r->left = bytes;
	return 0;
}

void
reader_close(struct reader *r)
{
	if (r->owned)
		io_close(r->fd);
	free(r->buf);
	*r = (struct reader){ .fd = -1 };
}

/*
 * Makes room in the buffer: moves its data to the start, or enlarges the buffer
 * if it is full.
 */
static int
make_room(struct reader *r, struct hp_err *e)
{
	unsigned char *grown;

	if (r->pos > 0) {
		memmove(r->buf, r->buf + r->pos, r->end - r->pos);
		r->end -= r->pos;
		r->pos = 0;
	}
	if (r->end < r->cap)
		return 0;
	if (r->cap > SIZE_MAX / 2 ||
	    (grown = realloc(r->buf, r->cap * 2)) == NULL)
		return hp_fail(e, HP_NOMEM,
		    "%s: record %" PRIu64 ": longer than %zu bytes", r->name,
		    r->header + r->nrec + 1, r->cap);
	r->buf = grown;
	r->cap *= 2;
	return 0;
}

/* Reads more data into the buffer. Returns 0 at the end of the data. */
static ssize_t
fill(struct reader *r, struct hp_err *e)
{
	size_t room;
	ssize_t n;

	if (make_room(r, e) == -1)
		return -1;
	room = r->cap - r->end;
	if (room > r->left)
		room = (size_t)r->left;
	do
		n = read(r->fd, r->buf + r->end, room);
	while (n == -1 && errno == EINTR);
	if (n == -1)
		return hp_fail_errno(e, HP_IO, "%s", r->name);
	if (n == 0 && r->left != UINT64_MAX && r->left > 0)
		return hp_fail(e, HP_INPUT,
		    "%s: the extent ends at byte %" PRIu64
		    ", behind the end of the file",
		    r->name, (uint64_t)lseek(r->fd, 0, SEEK_CUR) + r->left);
	if (n == 0 && r->left == UINT64_MAX &&
	    io_check_end(r->fd, r->size, r->name, e) == -1)
		return -1;
	if (n == 0)
		r->eof = true;
	r->end += (size_t)n;
	if (r->left != UINT64_MAX)
		r->left -= (size_t)n;
	return n;
}

/* The rest of the input has no delimiter, or it is shorter than a record. */
static int
take_rest(struct reader *r, size_t len, struct hp_err *e)
{
	if (len > 0 && r->format->size != 0)
		return hp_fail(e, HP_INPUT,
		    "%s: record %" PRIu64 ": %zu bytes, but a record has %zu",
		    r->name, r->header + r->nrec + 1, len, r->format->size);
	r->pos = r->end;
	r->seen = 0;
	r->nrec += len > 0;
	return len > 0;
}

int
reader_next(struct reader *r, const unsigned char **record, size_t *len,
    struct hp_err *e)
{
	const struct format *f = r->format;
	const unsigned char *end;

	while ((end = scan_find(
		    f, r->buf + r->pos, r->seen, r->buf + r->end)) == NULL) {
		r->seen = r->end - r->pos;
		if (!r->eof && fill(r, e) == -1)
			return -1;
		if (!r->eof)
			continue;
		*record = r->buf + r->pos;
		*len = r->end - r->pos;
		return take_rest(r, *len, e);
	}
	*record = r->buf + r->pos;
	*len = (size_t)(end - *record);
	r->pos += *len + scan_delim(f);
	r->seen = 0;
	r->nrec++;
	return 1;
}

int
reader_text(
    struct reader *r, const unsigned char **text, size_t *n, struct hp_err *e)
{
	const struct format *f = r->format;
	const unsigned char *from, *whole;
	uint64_t nrec = r->nrec;
	int rc;

	for (;;) {
		/* The first bytes of a long line are searched only once. */
		from = r->buf + r->pos + (f->size == 0 ? r->seen : 0);
		whole = scan_whole(f, from, r->buf + r->end);
		if (whole > from)
			break;
		r->seen = r->end - r->pos;
		if (!r->eof && fill(r, e) == -1)
			return -1;
		if (!r->eof)
			continue;
		/* The data have a new place since the call of fill. */
		*text = r->buf + r->pos;
		*n = r->end - r->pos;
		rc = take_rest(r, *n, e);
		r->nrec = nrec;
		return rc;
	}
	*text = r->buf + r->pos;
	*n = (size_t)(whole - *text);
	r->pos += *n;
	r->seen = 0;
	return 1;
}

int
reader_header(struct reader *r, uint64_t n, struct hp_err *e)
{
	const unsigned char *record;
	size_t len;
	int rc = 1;

	while (rc == 1 && r->nrec < n)
		rc = reader_next(r, &record, &len, e);
	r->header = r->nrec;
	r->nrec = 0;
	return rc == -1 ? -1 : 0;
}
