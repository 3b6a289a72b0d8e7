#include "record/general.h"
#include "record/keybuf.h"
#include "record/locate.h"
#include "record/month.h"
#include "record/number.h"
#include "record/part.h"
#include "record/random.h"
#include "record/text.h"
#include "record/version.h"

enum {
	/*
	 * Two keys are compared block by block. These are the sizes in bytes of
	 * the first and of the largest block. The first block is small, because
	 * most pairs of keys differ in their first bytes.
	 */
	FIRST_BLOCK = 32,
	BLOCK = 512
};

/*
 * Starts to encode a field as a part of a key, as the options of the field say.
 * `ends` tells whether the part needs an end mark, because another part
 * follows.
 */
static void
begin_field(struct part *p, const struct order *o, const struct order_field *f,
    const unsigned char *s, size_t n, bool ends)
{
	struct text t = { &letter_tables[f->fold][f->ignore], s, s + n };

	if (f->meaning & MEANS_RANDOM) {
		random_begin(p, o->salt, t);
		return;
	}
	switch (f->meaning) {
	case 0:
		text_begin(p, t, ends || f->reverse);
		break;
	case MEANS_GENERAL:
		general_begin(p, s, n);
		break;
	case MEANS_HUMAN:
		human_begin(p, s, n, f->fold);
		break;
	case MEANS_MONTH:
		month_begin(p, s, n);
		break;
	case MEANS_NUMBER:
		number_begin(p, s, n);
		break;
	default:
		version_begin(p, t);
	}
}

void
part_begin(struct part *p, const struct order *o, size_t i,
    const unsigned char *line, size_t len)
{
	bool field = i < o->nfields;
	bool reverse = field ? o->field[i].reverse : o->global.reverse;
	const unsigned char *s;
	size_t n;

	p->body = BODY_NONE;
	p->at = p->nhead = 0;
	p->mask = reverse ? 0xff : 0;
	if (field) {
		n = field_locate(o, &o->field[i], line, len, &s);
		begin_field(
		    p, o, &o->field[i], s, n, i + 1 < o->nfields || o->tie);
	} else
		text_begin(p,
		    (struct text){
			&letter_tables[0][IGNORE_NOTHING], line, line + len },
		    reverse);
}

static size_t
fill_body(struct part *p, unsigned char *to, size_t room)
{
	switch (p->body) {
	case BODY_NONE:
		break;
	case BODY_TEXT:
		return text_fill(p, to, room);
	case BODY_ESCAPED:
		return escaped_fill(p, to, room);
	case BODY_DIGITS:
		return digits_fill(p, to, room);
	case BODY_VERSION:
		return version_fill(p, to, room);
	}
	return 0;
}

/*
 * Writes the next bytes of the part to `to`, at most `room`. Returns how many
 * it wrote; they are fewer than `room` only at the end of the part.
 */
static size_t
part_fill(struct part *p, unsigned char *to, size_t room)
{
	size_t n = 0;

	for (;;) {
		while (p->at < p->nhead && n < room)
			to[n++] = p->head[p->at++];
		if (n == room || p->body == BODY_NONE)
			break;
		if (room - n >= PART_HEAD)
			n += fill_body(p, to + n, room - n);
		else {
			p->nhead = fill_body(p, p->head, PART_HEAD);
			p->at = 0;
		}
	}
	if (p->mask != 0)
		complement(to, n);
	return n;
}

int
part_put(struct part *p, struct keybuf *b)
{
	size_t room, n;

	do {
		if (keybuf_reserve(b, 1) == -1)
			return -1;
		room = b->cap - b->len;
		if (b->most > 0 && room > b->most - b->len)
			room = b->most - b->len;
		n = part_fill(p, b->bytes + b->len, room);
		b->len += n;
	} while (n == room && !keybuf_is_full(b));
	return 0;
}

int
part_compare(struct part *a, struct part *b)
{
	unsigned char x[BLOCK], y[BLOCK];
	size_t n, m, room = FIRST_BLOCK;
	int c;

	do {
		if (a->at == a->nhead && b->at == b->nhead &&
		    a->body == b->body &&
		    (a->body == BODY_TEXT || a->body == BODY_ESCAPED))
			text_skip_common(&a->text, &b->text);
		n = part_fill(a, x, room);
		m = part_fill(b, y, room);
		c = key_cmp(x, n, y, m);
		room = room < BLOCK ? 2 * room : BLOCK;
	} while (c == 0 && n > 0);
	return c;
}
