#include <sys/stat.h>

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/io.h"
#include "net/parts.h"

static int
check(const struct parts *x, uint64_t size, struct hp_err *e)
{
	for (size_t i = 0; i < x->n; i++) {
		const struct exchange_part *t = &x->part[i];

		if (t->sublist >= x->nodes)
			return hp_fail(e, HP_INPUT,
			    "%s: extent %zu: sublist %" PRIu32
			    " belongs to no node",
			    x->path, i + 1, t->sublist);
		if (t->offset > size || t->bytes > size - t->offset)
			return hp_fail(e, HP_INPUT,
			    "%s: extent %zu: ends at byte %" PRIu64
			    " of a file of %" PRIu64,
			    x->path, i + 1, t->offset + t->bytes, size);
		if (t->records > t->bytes ||
		    (t->records == 0) != (t->bytes == 0))
			return hp_fail(e, HP_INPUT,
			    "%s: extent %zu: %" PRIu64
			    " bytes cannot be %" PRIu64 " records",
			    x->path, i + 1, t->bytes, t->records);
	}
	return 0;
}

int
parts_open(struct parts *x, const char *path, const struct exchange_part *part,
    size_t n, uint32_t me, uint32_t nodes, struct hp_err *e)
{
	struct stat st;

	*x = (struct parts){ .fd = -1,
		.path = path,
		.me = me,
		.nodes = nodes,
		.part = part,
		.n = n };
	if ((x->cursor = calloc(nodes, sizeof *x->cursor)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", path);
	if ((x->fd = io_open(path, e)) == -1)
		return -1;
	if (fstat(x->fd, &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", path);
	if (!S_ISREG(st.st_mode))
		return hp_fail(e, HP_INPUT, "%s: not a regular file", path);
	return check(x, (uint64_t)st.st_size, e);
}

void
parts_close(struct parts *x)
{
	if (x->fd != -1)
		io_close(x->fd);
	free(x->cursor);
	*x = (struct parts){ .fd = -1 };
}

/*
 * Sets the record count of a frame. The last frame of an extent counts all
 * records of the extent, and the other frames count 0. A count has 32 bits. If
 * an extent has more records, frames without payload follow and count the rest.
 */
static void
describe(const struct exchange_part *t, struct part_cursor *c, struct frame *f)
{
	uint64_t left = t->records - c->records;

	if (c->bytes < t->bytes) {
		f->flags = FRAME_MORE;
		return;
	}
	f->records = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
	c->records += f->records;
	if (c->records == t->records)
		*c = (struct part_cursor){ .next = c->next + 1 };
}

/*
 * Returns the next extent (byte range of the file) that is sent to the node and
 * is not empty. Returns NULL if there is none.
 */
static const struct exchange_part *
current(struct parts *x, uint32_t node)
{
	struct part_cursor *c = &x->cursor[node];

	while (c->next < x->n &&
	    (x->part[c->next].sublist != node || x->part[c->next].bytes == 0))
		c->next++;
	return c->next < x->n ? &x->part[c->next] : NULL;
}

int
parts_seek(struct parts *x, uint32_t node, uint64_t records, uint64_t bytes,
    bool *inside, struct hp_err *e)
{
	struct part_cursor *c = &x->cursor[node];
	const struct exchange_part *t;

	*c = (struct part_cursor){ 0 };
	while ((t = current(x, node)) != NULL && bytes >= t->bytes &&
	    records >= t->records) {
		bytes -= t->bytes;
		records -= t->records;
		c->next++;
	}
	*inside = t != NULL && bytes > 0 && bytes < t->bytes;
	if (bytes == 0 && records == 0)
		return 0;
	/*
	 * The last frame of an extent counts all its records, the frames before
	 * it none. So no record of the extent is counted at a position inside
	 * it.
	 */
	if (t == NULL || bytes > t->bytes || records > t->records ||
	    (bytes < t->bytes && records > 0))
		return hp_fail(e, HP_INPUT,
		    "%s: node %" PRIu32 " has records that were not sent to it",
		    x->path, node);
	c->bytes = bytes;
	c->records = records;
	return 0;
}

/*
 * Adds bytes at the read position to the sum of their extent. Skips the bytes
 * that the sum already includes.
 */
static int
add_sum(struct parts *x, const struct part_cursor *c,
    const unsigned char *bytes, uint64_t n, struct hp_err *e)
{
	struct part_sum *s = x->sum == NULL ? NULL : &x->sum[c->next];
	uint64_t skip;

	if (s == NULL || s->bytes < c->bytes || s->bytes >= c->bytes + n)
		return 0;
	skip = s->bytes - c->bytes;
	s->bytes += n - skip;
	return piecesum_add(&s->sum, bytes + skip, (size_t)(n - skip), e);
}

int
parts_sum_read(const struct parts *x, struct hp_err *e)
{
	for (size_t i = 0; x->sum != NULL && i < x->n; i++)
		if (x->sum[i].bytes == x->part[i].bytes &&
		    piecesum_end(&x->sum[i].sum, e) == -1)
			return -1;
	return 0;
}

/*
 * Reads the bytes of an extent that its sum does not include yet, and adds them
 * to the sum.
 */
static int
sum_extent(struct parts *x, size_t i, unsigned char *buf, struct hp_err *e)
{
	const struct exchange_part *t = &x->part[i];
	struct part_sum *s = &x->sum[i];
	ssize_t n;

	while (s->bytes < t->bytes) {
		uint64_t left = t->bytes - s->bytes;

		n = io_pread(x->fd, buf,
		    left < PARTS_CHUNK ? (size_t)left : PARTS_CHUNK,
		    (off_t)(t->offset + s->bytes));
		if (n == -1)
			return hp_fail_errno(e, HP_IO, "%s", x->path);
		if (n == 0)
			return hp_fail(e, HP_INPUT,
			    "%s: was truncated while it was sent", x->path);
		if (piecesum_add(&s->sum, buf, (size_t)n, e) == -1)
			return -1;
		s->bytes += (uint64_t)n;
	}
	return piecesum_end(&s->sum, e);
}

int
parts_sum_rest(struct parts *x, struct hp_err *e)
{
	unsigned char *buf;
	int rc = 0;

	if (x->sum == NULL)
		return 0;
	if ((buf = malloc(PARTS_CHUNK)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", x->path);
	for (size_t i = 0; rc == 0 && i < x->n; i++)
		rc = sum_extent(x, i, buf, e);
	free(buf);
	return rc;
}

int
parts_next(struct parts *x, uint32_t node, unsigned char *payload,
    struct frame *f, struct hp_err *e)
{
	struct part_cursor *c = &x->cursor[node];
	const struct exchange_part *t;
	uint64_t n;
	ssize_t r;

	if ((t = current(x, node)) == NULL)
		return 0;
	n = t->bytes - c->bytes < PARTS_CHUNK ? t->bytes - c->bytes
					      : PARTS_CHUNK;
	r = io_pread(x->fd, payload, (size_t)n, (off_t)(t->offset + c->bytes));
	if (r == -1)
		return hp_fail_errno(e, HP_IO, "%s", x->path);
	if ((uint64_t)r < n)
		return hp_fail(e, HP_INPUT,
		    "%s: was truncated while it was sent", x->path);
	if (add_sum(x, c, payload, n, e) == -1)
		return -1;
	c->bytes += n;
	*f = (struct frame){ .type = FRAME_DATA,
		.sublist = t->sublist,
		.source = x->me,
		.length = (uint32_t)n };
	describe(t, c, f);
	return 1;
}
