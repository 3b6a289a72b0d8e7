#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <libdeflate.h>

#include "base/io.h"
#include "record/header.h"
#include "record/scan.h"

/*
 * Reads the header of a file from one descriptor, and may copy it to another.
 */
struct copy {
	const struct format *format;
	int from, to; /* to: -1 if nothing is copied */
	const char *name, *to_name;
	struct header_sum sum;
};

/*
 * Returns how many of the n bytes belong to the header. The header ends with
 * record number `most` of the file.
 */
static size_t
belong(struct copy *c, const unsigned char *s, size_t n, uint64_t most)
{
	const unsigned char *p = scan_skip(
	    c->format, s, s + n, most - c->sum.records);

	c->sum.records += scan_count(c->format, s, p);
	return (size_t)(p - s);
}

static int
put(struct copy *c, const void *bytes, size_t n, struct hp_err *e)
{
	c->sum.bytes += n;
	c->sum.crc = libdeflate_crc32(c->sum.crc, bytes, n);
	if (c->to != -1 && io_write(c->to, bytes, n) == -1)
		return hp_fail_errno(e, HP_IO, "%s", c->to_name);
	return 0;
}

static int
copy_fixed(struct copy *c, uint64_t n, struct hp_err *e)
{
	size_t size = c->format->size;
	unsigned char buf[4096];
	uint64_t left;
	ssize_t got = 1;

	if (__builtin_mul_overflow(n, size, &left))
		left = UINT64_MAX;
	for (; left > 0 && got > 0; left -= (uint64_t)got) {
		got = io_read(
		    c->from, buf, left < sizeof buf ? left : sizeof buf);
		if (got == -1)
			return hp_fail_errno(e, HP_IO, "%s", c->name);
		if (got > 0 && put(c, buf, (size_t)got, e) == -1)
			return -1;
	}
	c->sum.records = c->sum.bytes / size;
	if (c->sum.bytes % size != 0)
		return hp_fail(e, HP_INPUT,
		    "%s: record %" PRIu64 ": %" PRIu64
		    " bytes, but a record has %zu",
		    c->name, c->sum.records + 1, c->sum.bytes % size, size);
	return 0;
}

static int
copy_lines(struct copy *c, uint64_t n, struct hp_err *e)
{
	off_t at = lseek(c->from, 0, SEEK_CUR);
	unsigned char buf[4096], last = c->format->delim;
	size_t ask = at == -1 ? 1 : sizeof buf, part;
	ssize_t got;

	while (c->sum.records < n) {
		if ((got = io_read(c->from, buf, ask)) == -1)
			return hp_fail_errno(e, HP_IO, "%s", c->name);
		if (got == 0)
			break;
		part = belong(c, buf, (size_t)got, n);
		if (put(c, buf, part, e) == -1)
			return -1;
		last = buf[part - 1];
		if (at != -1 &&
		    lseek(c->from, at += (off_t)part, SEEK_SET) == -1)
			return hp_fail_errno(e, HP_IO, "%s", c->name);
	}
	if (!scan_is_cut(c->format, &last, &last + 1))
		return 0;
	c->sum.records++;
	return put(c, &c->format->delim, 1, e);
}

static int
copy(struct copy *c, uint64_t n, struct hp_err *e)
{
	if (strcmp(c->name, "-") == 0)
		c->name = "standard input";
	return (c->format->size == 0 ? copy_lines : copy_fixed)(c, n, e);
}

int
header_take(struct header *h, const char *name, int to, const char *to_name,
    struct hp_err *e)
{
	struct copy c = { .format = h->format,
		.from = io_open(name, e),
		.to = to,
		.name = name,
		.to_name = to_name };

	if (c.from == -1)
		return -1;
	if (copy(&c, h->n, e) == -1) {
		io_close(c.from);
		return -1;
	}
	h->name = name;
	h->fd = c.from;
	h->first = c.sum;
	return 0;
}

int
header_skip(struct header *h, int fd, const char *name, struct hp_err *e)
{
	struct copy c = {
		.format = h->format, .from = fd, .to = -1, .name = name
	};

	if (copy(&c, h->n, e) == -1)
		return -1;
	header_compare(h, &c.sum, name);
	return 0;
}

void
header_add(struct header_sum *s, const struct format *f,
    const unsigned char *record, size_t len)
{
	s->records++;
	s->bytes += len;
	s->crc = libdeflate_crc32(s->crc, record, len);
	s->bytes += scan_delim(f);
	s->crc = libdeflate_crc32(s->crc, &f->delim, scan_delim(f));
}

void
header_compare(struct header *h, const struct header_sum *s, const char *name)
{
	if (h->other == NULL && s->bytes > 0 &&
	    (s->bytes != h->first.bytes || s->crc != h->first.crc))
		h->other = name;
}
