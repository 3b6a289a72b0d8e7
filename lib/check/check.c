#include <stdlib.h>

#include "check/check.h"
#include "record/decode.h"
#include "record/key.h"
#include "record/keybuf.h"
#include "record/scan.h"

void
check_init(struct check *c, const struct order *order)
{
	*c = (struct check){ .order = order,
		.summary = { .unique = order->unique,
		    .text = order_keeps_text(order) } };
}

void
check_fini(struct check *c)
{
	summary_fini(&c->summary);
	free(c->key.bytes);
	keybuf_fini(&c->buf);
	*c = (struct check){ 0 };
}

/*
 * The size of a line includes its delimiter. This also holds for a last line
 * without delimiter, because hpsort will add it.
 */
void
check_count(struct check *c, const unsigned char *record, size_t len)
{
	struct summary *s = &c->summary;
	const struct format *f = &c->order->format;

	scan_sum(f, (struct span){ record, len }, &s->checksum);
	s->bytes += len + scan_delim(f);
	s->records++;
}

int
check_record(
    struct check *c, const unsigned char *record, size_t len, struct hp_err *e)
{
	struct summary *s = &c->summary;
	struct summary_key spare;
	struct key key;
	int rc = 0;

	if (order_key(c->order, record, len, &c->buf, &key) == -1 ||
	    summary_key_set(&c->key, key.bytes, key.len, key.primary) == -1 ||
	    (s->records == 0 &&
		summary_key_set(&s->first, key.bytes, key.len, key.primary) ==
		    -1))
		return hp_fail(e, HP_NOMEM, "a record of %zu bytes", len);
	if (s->records > 0)
		rc = summary_step(s, &s->last, &c->key);
	spare = s->last;
	s->last = c->key;
	c->key = spare;
	check_count(c, record, len);
	return rc;
}
