#include <string.h>

#include "input/stride.h"

enum {
	/*
	 * number of bytes to search per call of memrchr; a sanitizer checks the
	 * whole range of each call, so it must be small
	 */
	NEAR = 1 << 10
};

static size_t
strides_in(const struct text *t, const struct piece *p)
{
	return ((size_t)(p->end - p->start) + t->step - 1) / t->step;
}

size_t
stride_count(const struct text *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->npieces; i++)
		n += strides_in(t, &t->piece[i]);
	return n;
}

const unsigned char *
stride_from(const struct format *f, const struct piece *p, size_t off)
{
	const unsigned char *s;

	if (off >= (size_t)(p->end - p->start))
		return p->end;
	if (off == 0)
		return p->start;
	if (f->size != 0)
		return p->start + (off + f->size - 1) / f->size * f->size;
	s = p->start + off - 1;
	s = memchr(s, f->delim, (size_t)(p->end - s));
	return s == NULL ? p->end : s + 1;
}

const unsigned char *
stride_before(const struct format *f, const unsigned char *start,
    const unsigned char *end)
{
	const unsigned char *s, *at = end - 1;
	size_t n;

	if (f->size != 0)
		return end - f->size;
	for (; at > start; at -= n) {
		n = (size_t)(at - start) < NEAR ? (size_t)(at - start) : NEAR;
		if ((s = memrchr(at - n, f->delim, n)) != NULL)
			return s + 1;
	}
	return start;
}

struct stride
stride_number(const struct text *t, size_t i)
{
	const struct format *f = t->format;
	const struct piece *p = t->piece;
	struct stride s;

	for (; i >= strides_in(t, p); p++)
		i -= strides_in(t, p);
	s.start = stride_from(f, p, i * t->step);
	s.end = stride_from(f, p, (i + 1) * t->step);
	s.before = NULL;
	if (s.start > p->start)
		s.before = stride_before(f, p->start, s.start);
	else if (p > t->piece)
		s.before = stride_before(f, p[-1].start, p[-1].end);
	s.cut = s.start < s.end && s.end == p->end && f->size == 0 &&
	    s.end[-1] != f->delim;
	return s;
}
