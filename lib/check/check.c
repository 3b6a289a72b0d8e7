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
	keybuf_fini(&c->buf[0]);
	keybuf_fini(&c->buf[1]);
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

void
check_count_text(struct check *c, const unsigned char *text, size_t n)
{
	const struct format *f = &c->order->format;
	const unsigned char *end = text + n;
	struct span r;

	while (text < end) {
		r = scan_record(f, &text, end);
		check_count(c, r.at, r.len);
	}
}

/*
 * Returns true if the first eight bytes of the keys show that the second record
 * comes later and has another key. This is so for most records, and saves the
 * comparison of whole keys.
 */
static inline bool
rises(const struct key *before, const struct key *next)
{
	return before->primary >= 8 && next->primary >= 8 &&
	    key_prefix(before->bytes, 8) < key_prefix(next->bytes, 8);
}

/*
 * Adds a record and sets *key to its key, which may lie in the record or in
 * `buf`. `before` is the key of the record before; unused for the first record.
 */
static inline int
add(struct check *c, struct span r, const struct key *before,
    struct keybuf *buf, struct key *key, struct hp_err *e)
{
	struct summary *s = &c->summary;
	int rc = 0;

	if (order_key(c->order, r.at, r.len, buf, key) == -1 ||
	    (s->records == 0 && summary_key_set(&s->first, key) == -1))
		return hp_fail(e, HP_NOMEM, "a record of %zu bytes", r.len);
	if (s->records > 0 && !rises(before, key))
		rc = summary_step(s, before, key);
	check_count(c, r.at, r.len);
	return rc;
}

int
check_record(
    struct check *c, const unsigned char *record, size_t len, struct hp_err *e)
{
	struct key key, before = summary_key_of(&c->summary.last);
	int rc = add(
	    c, (struct span){ record, len }, &before, &c->buf[0], &key, e);

	if (rc != -1 && summary_key_set(&c->summary.last, &key) == -1)
		return hp_fail(e, HP_NOMEM, "a record of %zu bytes", len);
	return rc;
}

int
check_text(
    struct check *c, const unsigned char *text, size_t n, struct hp_err *e)
{
	const struct format *f = &c->order->format;
	const unsigned char *end = text + n;
	struct key key, before = summary_key_of(&c->summary.last);
	bool disorder = false;
	int rc;

	if (n == 0)
		return 0;
	for (unsigned turn = 0; text < end; turn ^= 1) {
		rc = add(c, scan_record(f, &text, end), &before, &c->buf[turn],
		    &key, e);
		if (rc == -1)
			return -1;
		disorder |= rc == 1;
		before = key;
	}
	if (summary_key_set(&c->summary.last, &key) == -1)
		return hp_fail(e, HP_NOMEM, "a key of %zu bytes", key.len);
	return disorder;
}
