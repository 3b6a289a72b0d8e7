#include <string.h>

#include "base/io.h"
#include "input/copy.h"
#include "input/mapped.h"

enum {
	TAIL = 1 << 12 /* bytes that are searched for the end of a line */
};

int
input_copy(const struct input *in, unsigned char *to, const unsigned char *s,
    size_t n, struct hp_err *e)
{
	const struct text_piece *p = input_piece(in, s);
	uint64_t at = p->off + (uint64_t)(s - p->start);
	ssize_t got = (ssize_t)n;

	if (p->fd == -1)
		memcpy(to, s, n);
	else
		got = io_pread(p->fd, to, n, (off_t)at);
	if (got == -1)
		return hp_fail_errno(e, HP_IO, "%s", p->name);
	if ((size_t)got < n)
		return hp_fail(
		    e, HP_IO, "%s: cut short while it was read", p->name);
	return 0;
}

/*
 * Returns the end of the last line in the next `want` bytes, or NULL if the
 * last TAIL of them have no delimiter.
 */
static unsigned char *
last_line(const struct input *in, size_t want)
{
	const struct text_piece *p = &in->piece[in->at];
	unsigned char tail[TAIL], *from, *delim;
	uint64_t at;

	if (want < TAIL)
		return NULL;
	from = in->pos + want - TAIL;
	at = p->off + (uint64_t)(from - p->start);
	if (io_pread(p->fd, tail, TAIL, (off_t)at) != TAIL)
		return NULL;
	delim = memrchr(tail, in->format->delim, TAIL);
	return delim == NULL ? NULL : from + (delim - tail) + 1;
}

unsigned char *
input_whole_unseen(const struct input *in, size_t want)
{
	size_t have = (size_t)(in->end - in->pos), size = in->format->size;

	if (have == 0 || want < size)
		return NULL;
	if (have <= want)
		return in->end;
	return size > 0 ? in->pos + want / size * size : last_line(in, want);
}
