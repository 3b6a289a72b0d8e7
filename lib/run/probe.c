#include "run/fill.h"
#include "run/probe.h"

int
probe_open(const struct cuts *c, size_t i, uint64_t from, uint64_t bytes,
    size_t buffer, struct source *s, struct hp_err *e)
{
	const struct extent_run *r = &c->run[i];

	return r->tape != NULL
	    ? source_tape(s, c->view, c->store, r->tape, from, bytes, buffer, e)
	    : source_extent(s, c->view, r->fd, (off_t)(r->off + from), bytes,
		  r->name, buffer, e);
}

int
probe_too_long(const struct extent_run *r, struct hp_err *e)
{
	return hp_fail(e, HP_INPUT, "%s: long records", r->name);
}

int
probe_next(const struct cuts *c, const struct extent_run *r, struct source *s,
    struct hp_err *e)
{
	int rc;

	while ((rc = source_next(s, e)) == SOURCE_EMPTY) {
		if (s->end - s->pos > c->most)
			return probe_too_long(r, e);
		if (source_fill(s, e) == -1)
			return -1;
	}
	return rc == -1 ? -1 : 0;
}

int
probe(const struct cuts *c, size_t i, uint64_t from, struct source *s,
    uint64_t *start, struct hp_err *e)
{
	const struct extent_run *r = &c->run[i];
	const struct format *f = &c->view->order->format;
	bool inside = f->size == 0 && from > 0;

	/*
	 * For lines, start one byte before `from`. If this byte is a delimiter,
	 * a line starts exactly at `from`.
	 */
	from = f->size == 0 ? from - inside : from / f->size * f->size;
	if (probe_open(c, i, from, r->bytes - from, PROBE_BYTES, s, e) == -1)
		return -1;
	if (r->bytes == from)
		s->done = true;
	for (unsigned k = 0; k <= inside && !s->done; k++)
		if (probe_next(c, r, s, e) == -1)
			return -1;
	*start = s->done ? r->bytes
			 : (uint64_t)s->at - r->off - s->end +
		(uint64_t)(s->item.record.at - s->buf);
	return 0;
}
