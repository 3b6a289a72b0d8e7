#include "input/stride.h"

static size_t
strides_in(const struct text *t, const struct text_piece *p)
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
stride_from(const struct format *f, const struct text_piece *p, size_t off)
{
	if (off >= (size_t)(p->end - p->start))
		return p->end;
	return scan_from(f, p->start, p->start + off, p->end);
}

struct stride
stride_number(const struct text *t, size_t i)
{
	const struct format *f = t->format;
	const struct text_piece *p = t->piece;
	struct stride s;

	for (; i >= strides_in(t, p); p++)
		i -= strides_in(t, p);
	s.start = stride_from(f, p, i * t->step);
	s.end = stride_from(f, p, (i + 1) * t->step);
	s.before = NULL;
	if (s.start > p->start)
		s.before = scan_start(f, p->start, s.start - 1);
	else if (p > t->piece)
		s.before = scan_start(f, p[-1].start, p[-1].end - 1);
	s.cut = s.end == p->end && scan_is_cut(f, s.start, s.end);
	return s;
}
