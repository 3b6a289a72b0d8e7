#include <inttypes.h>

#include "split/classified.h"

/* Classifies the next records, all of them in the reader's buffer. */
static int
fill(struct classified *c, struct hp_err *e)
{
	const struct format *f = c->in->format;
	size_t delim = scan_delim(f), bytes;
	uint64_t index[CLASSIFY_MOST];
	int got;

	c->n = c->next = 0;
	if (c->at == c->end) {
		got = reader_text(c->in, &c->at, &bytes, e);
		if (got != 1)
			return got;
		c->end = c->at + bytes;
	}
	while (c->n < CLASSIFY_MOST && c->at != c->end) {
		struct span *s = &c->record[c->n];

		*s = scan_record(f, &c->at, c->end);
		index[c->n++] = c->index;
		c->index += c->by_offset ? s->len + delim : 1;
	}
	c->in->nrec += c->n;
	if (classify(c->by, c->record, index, c->n, c->to) == -1)
		return hp_fail(e, HP_NOMEM, "%s: record %" PRIu64, c->in->name,
		    c->in->nrec);
	return 1;
}

int
classified_next(
    struct classified *c, struct span *record, size_t *to, struct hp_err *e)
{
	int got = c->next < c->n ? 1 : fill(c, e);

	if (got != 1)
		return got;
	*record = c->record[c->next];
	*to = c->to[c->next++];
	return 1;
}
