#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "record/scan.h"
#include "split/classified.h"
#include "split/cut.h"

enum {
	BUFFER = 64 << 10,
	/*
	 * Maximum size in bytes of a piece, a part of the file for one
	 * destination. It is the size of about two frames of hpexchange. With
	 * smaller pieces, the file would have too many pieces.
	 */
	BUFFER_PIECE = 1000 << 10,
	BUFFER_LEAST = 4 << 10,
	BUFFERS = 64 << 20 /* bytes of all buffers together */
};

/*
 * The buffer of one destination node. It begins with space for the head of a
 * frame, and the records follow. Sublists with the same destination share one
 * buffer, because separate buffers would change the order of equal records.
 */
struct buffer {
	unsigned char *frame;
	uint32_t to, length, records;
};

struct cut {
	struct buffer *part;
	size_t n;
	/* of[i] is the buffer of the destination of sublist i. */
	struct buffer **of;
	unsigned char *memory;
	uint32_t room;		   /* bytes of payload in a buffer */
	unsigned char *long_frame; /* for a record longer than a buffer */
	int fd;
	const char *name; /* for messages */
	/* For frames. */
	uint32_t source;
	struct frame_totals totals;
	/* For pieces; tell is NULL for frames. */
	int (*tell)(void *, const struct cut_piece *, struct hp_err *);
	void *arg;
	struct cut_piece piece;
};

static int
by_number(const void *a, const void *b)
{
	const struct buffer *x = a, *y = b;

	return (x->to > y->to) - (x->to < y->to);
}

/* Makes one buffer for each different destination in to[n]. */
static int
make_parts(struct cut *c, const uint32_t *to, size_t n, struct hp_err *e)
{
	c->part = calloc(n, sizeof *c->part);
	c->of = calloc(n, sizeof(struct buffer *));
	if (c->part == NULL || c->of == NULL)
		return hp_fail(e, HP_NOMEM, "%zu sublists", n);
	for (size_t i = 0; i < n; i++)
		c->part[i].to = to[i];
	qsort(c->part, n, sizeof *c->part, by_number);
	for (size_t i = 0; i < n; i++)
		if (c->n == 0 || c->part[c->n - 1].to != c->part[i].to)
			c->part[c->n++].to = c->part[i].to;
	for (size_t i = 0; i < n; i++)
		c->of[i] = bsearch(&(struct buffer){ .to = to[i] }, c->part,
		    c->n, sizeof *c->part, by_number);
	return 0;
}

static int
cut_init(struct cut *c, const uint32_t *to, size_t n, struct hp_err *e)
{
	size_t room, most = c->tell == NULL ? BUFFER : BUFFER_PIECE;

	if (make_parts(c, to, n, e) == -1)
		return -1;
	room = BUFFERS / c->n;
	room = room > most ? most : room < BUFFER_LEAST ? BUFFER_LEAST : room;
	c->room = (uint32_t)room;
	c->memory = reallocarray(NULL, c->n, FRAME_HEAD + room);
	if (c->memory == NULL)
		return hp_fail(e, HP_NOMEM, "%zu sublists", n);
	for (size_t i = 0; i < c->n; i++)
		c->part[i].frame = c->memory + i * (FRAME_HEAD + room);
	return 0;
}

static void
cut_fini(struct cut *c)
{
	free(c->part);
	free(c->of);
	free(c->memory);
	free(c->long_frame);
}

static int
put(struct cut *c, const void *bytes, size_t len, struct hp_err *e)
{
	if (io_write(c->fd, bytes, len) == -1)
		return hp_fail_errno(e, HP_IO, "%s", c->name);
	return 0;
}

static int
end_piece(struct cut *c, struct hp_err *e)
{
	return c->piece.bytes == 0 ? 0 : c->tell(c->arg, &c->piece, e);
}

/*
 * Writes the payload to the file. If the previous payload had the same
 * destination, both form one piece.
 */
static int
put_piece(struct cut *c, uint32_t to, const unsigned char *bytes,
    uint32_t length, uint32_t records, struct hp_err *e)
{
	struct cut_piece *p = &c->piece;

	if (p->to != to) {
		if (end_piece(c, e) == -1)
			return -1;
		*p = (struct cut_piece){ to, p->offset + p->bytes, 0, 0 };
	}
	p->bytes += length;
	p->records += records;
	return put(c, bytes, length, e);
}

/*
 * Writes the records of a buffer: to a stream as one frame, or to a file
 * without a head. `frame` begins with FRAME_HEAD unused bytes for the head of
 * the frame. The records follow.
 */
static int
put_frame(struct cut *c, uint32_t to, unsigned char *frame, uint32_t length,
    uint32_t records, uint32_t flags, struct hp_err *e)
{
	struct frame f = { .type = FRAME_DATA,
		.sublist = to,
		.source = c->source,
		.length = length,
		.records = records,
		.flags = flags,
		.number = c->totals.frames };

	if (c->tell != NULL)
		return put_piece(c, to, frame + FRAME_HEAD, length, records, e);
	frame_encode(&f, frame + FRAME_HEAD, frame);
	frame_count(&c->totals, &f);
	return put(c, frame, FRAME_HEAD + length, e);
}

static int
flush(struct cut *c, struct buffer *p, struct hp_err *e)
{
	uint32_t length = p->length, records = p->records;

	if (length == 0)
		return 0;
	p->length = p->records = 0;
	return put_frame(c, p->to, p->frame, length, records, 0, e);
}

/* Writes a record that is longer than a buffer, as several frames. */
static int
put_long(struct cut *c, struct buffer *p, const unsigned char *record,
    size_t len, const unsigned char *delim, struct hp_err *e)
{
	size_t total = len + (delim != NULL), done = 0, n, of_record;
	unsigned char *payload;
	bool more;

	if (flush(c, p, e) == -1)
		return -1;
	if (c->long_frame == NULL &&
	    (c->long_frame = malloc(FRAME_HEAD + FRAME_MAX)) == NULL)
		return hp_fail(e, HP_NOMEM, "a frame");
	payload = c->long_frame + FRAME_HEAD;
	for (; done < total; done += n) {
		n = total - done < FRAME_MAX ? total - done : FRAME_MAX;
		of_record = done + n <= len ? n : len - done;
		more = done + n < total;
		memcpy(payload, record + done, of_record);
		if (of_record < n)
			payload[of_record] = *delim;
		if (put_frame(c, p->to, c->long_frame, (uint32_t)n, !more,
			more ? FRAME_MORE : 0, e) == -1)
			return -1;
	}
	return 0;
}

static int
put_record(struct cut *c, struct buffer *p, const unsigned char *record,
    size_t len, const unsigned char *delim, struct hp_err *e)
{
	size_t total = len + (delim != NULL);
	unsigned char *to;

	if (total > c->room)
		return put_long(c, p, record, len, delim, e);
	if (total > c->room - p->length && flush(c, p, e) == -1)
		return -1;
	to = p->frame + FRAME_HEAD + p->length;
	memcpy(to, record, len);
	if (delim != NULL)
		to[len] = *delim;
	p->length += (uint32_t)total;
	p->records++;
	return 0;
}

static int
put_all(
    struct cut *c, struct reader *r, struct classifier *by, struct hp_err *e)
{
	const unsigned char *delim = scan_delim(r->format) > 0
	    ? &r->format->delim
	    : NULL;
	struct classified records = { .in = r, .by = by };
	struct span record;
	size_t sublist;
	int got;

	while ((got = classified_next(&records, &record, &sublist, e)) == 1)
		if (put_record(c, c->of[sublist], record.at, record.len, delim,
			e) == -1)
			return -1;
	for (size_t i = 0; got == 0 && i < c->n; i++)
		got = flush(c, &c->part[i], e);
	return got;
}

int
cut_stream(struct reader *r, struct classifier *by, size_t n,
    const uint32_t *to, uint32_t source, int fd, struct hp_err *e)
{
	struct cut c = {
		.fd = fd, .name = "standard output", .source = source
	};
	unsigned char head[FRAME_STREAM_HEAD];
	unsigned char end[FRAME_HEAD + FRAME_END_PAYLOAD];
	int rc = -1;

	frame_stream_head(head);
	if (cut_init(&c, to, n, e) == -1 ||
	    put(&c, head, sizeof head, e) == -1 || put_all(&c, r, by, e) == -1)
		goto out;
	frame_end(&c.totals, end);
	rc = put(&c, end, sizeof end, e);
out:
	cut_fini(&c);
	return rc;
}

int
cut_pieces(struct reader *r, struct classifier *by, size_t n,
    const uint32_t *to, int fd, const char *name,
    int (*tell)(void *, const struct cut_piece *, struct hp_err *), void *arg,
    struct hp_err *e)
{
	struct cut c = { .fd = fd, .name = name, .tell = tell, .arg = arg };
	int rc = -1;

	if (cut_init(&c, to, n, e) == 0 && put_all(&c, r, by, e) == 0)
		rc = end_piece(&c, e);
	cut_fini(&c);
	return rc;
}

int
cut_count(struct reader *r, struct classifier *by, size_t n, uint64_t *count,
    struct hp_err *e)
{
	struct classified records = { .in = r, .by = by };
	struct span record;
	size_t sublist;
	int got;

	memset(count, 0, n * sizeof *count);
	while ((got = classified_next(&records, &record, &sublist, e)) == 1)
		count[sublist]++;
	return got;
}
