#include "run/source.h"
#include "sort/presorted.h"

enum {
	BUFFER = 1 << 18,
	RECORD_MOST = 1 << 20 /* longer ones take memory */
};

/* Write what the buffer has of whole records, at once; 0 when one of them is
 * not where it belongs. */
static int
copy(struct source *s, struct output *out, struct hp_err *e)
{
	const struct format *f = &s->view->order->format;
	uint64_t seen = s->nrec;
	size_t from = s->pos;
	int rc;

	while ((rc = source_next(s, e)) == 0 && !s->done)
		;
	if (rc == -1)
		return -1;
	if (rc == SOURCE_DISORDER)
		return 0;
	if (s->nrec == seen)
		return 1;
	if (output_write(out, s->buf + from, s->pos - from, out->at, e) == -1)
		return -1;
	out->at += (off_t)(s->pos - from);
	if (!s->done || f->kind != FORMAT_LINE ||
	    s->buf[s->pos - 1] == f->delim)
		return 1;
	if (output_write(out, &f->delim, 1, out->at++, e) == -1)
		return -1;
	return 1;
}

int
presorted_copy(const struct view *v, int fd, off_t at, uint64_t bytes,
    const char *name, struct output *out, uint64_t *records, struct hp_err *e)
{
	off_t start = out->at;
	struct source s;
	int rc = source_extent(&s, v, fd, at, bytes, name, BUFFER, e) == -1 ? -1
									    : 1;

	while (rc == 1 && !s.done) {
		if (s.cap > RECORD_MOST)
			rc = 0;
		else if (source_fill(&s, e) == -1)
			rc = -1;
		else
			rc = copy(&s, out, e);
	}
	if (rc == 1)
		*records = s.nrec;
	else
		out->at = start;
	source_close(&s);
	return rc;
}
