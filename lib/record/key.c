/*
 * Normalized keys.  The parts of a key follow each other: one for each field
 * of -k, then the whole record as the last resort.  A part of varying length
 * that is followed by another, or is reversed, is escaped and ends with 0x00,
 * so that a shorter one comes first:
 *
 *	0x00 -> 0x01 0x01	0x01 -> 0x01 0x02	end -> 0x00
 *
 * A reversed part has all its bytes complemented, its end too.
 */
#include <pthread.h>
#include <string.h>

#include "base/bytes.h"
#include "record/part.h"

static struct letters letters[2][3]; /* by fold and ignore */

static bool
ignored(int how, unsigned char c)
{
	if (how == IGNORE_NONDICTIONARY)
		return !is_blank(c) && !is_alpha(c) && !is_digit(c);
	return how == IGNORE_NONPRINTING && (c < ' ' || c > '~');
}

static void
fill_letters(void)
{
	for (int c = 0; c < 256; c++)
		for (int how = 0; how < 3; how++)
			for (int fold = 0; fold < 2; fold++) {
				struct letters *l = &letters[fold][how];

				l->to[c] = fold ? to_upper((unsigned char)c)
						: (unsigned char)c;
				l->kept[c] = !ignored(how, (unsigned char)c);
			}
}

const struct letters *
letters_of(const struct order_field *f)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fill_letters);
	return &letters[f->fold][f->ignore];
}

/* The text as -d, -f and -i make it, escaped and ended if it has to be. */
static int
put_text(struct keybuf *b, const struct order_field *f, const unsigned char *s,
    size_t n, bool escape)
{
	const struct letters *l;
	size_t most = n < keybuf_wants(b) ? n : keybuf_wants(b);
	unsigned char *p, *end;

	if (f->ignore == IGNORE_NOTHING && !f->fold)
		return escape ? part_escaped(b, s, n) : keybuf_put(b, s, n);
	if (n > (SIZE_MAX - 1) / 2 ||
	    keybuf_reserve(b, escape ? 2 * most + 2 : most + 1) == -1)
		return -1;
	l = letters_of(f);
	p = b->bytes + b->len;
	end = p + most * (escape ? 2 : 1);
	for (size_t i = 0; i < n && p < end; i++) {
		unsigned char c = l->to[s[i]];

		if (__builtin_expect(escape && c <= 1 && l->kept[s[i]], 0)) {
			*p++ = 1;
			c++;
		}
		*p = c;
		p += l->kept[s[i]];
	}
	if (escape)
		*p++ = 0;
	b->len = (size_t)(p - b->bytes);
	return 0;
}

static const unsigned char *
find_blank(const unsigned char *s, const unsigned char *end)
{
	uint64_t x, blanks;

	for (; end - s >= 8; s += 8) {
		x = get64(s);
		blanks = bytes_below(x ^ BYTES(' '), 1) |
		    bytes_below(x ^ BYTES('\t'), 1) |
		    bytes_below(x ^ BYTES('\n'), 1);
		if (blanks != 0)
			return s + (size_t)__builtin_ctzll(blanks) / 8;
	}
	while (s < end && !is_blank(*s))
		s++;
	return s;
}

/* Move s over n fields; the blanks before a field belong to it. */
static const unsigned char *
skip_fields(const struct order *o, const unsigned char *s,
    const unsigned char *end, size_t n, bool past_last_tab)
{
	if (o->tab != -1) {
		while (s < end && n-- > 0) {
			s = memchr(s, o->tab, (size_t)(end - s));
			if (s == NULL)
				return end;
			if (n > 0 || past_last_tab)
				s++;
		}
		return s;
	}
	while (s < end && n-- > 0) {
		s = find_blank(skip_blanks(s, end), end);
	}
	return s;
}

static const unsigned char *
skip_chars(const unsigned char *s, const unsigned char *end, size_t n)
{
	return n < (size_t)(end - s) ? s + n : end;
}

size_t
field_locate(const struct order *o, const struct order_field *f,
    const unsigned char *line, size_t len, const unsigned char **from)
{
	const unsigned char *end = line + len, *s, *lim = end;
	size_t known = f->start_field, to = f->end_field + (f->end_char == 0);

	s = skip_fields(o, line, end, known, true);
	/* The end is mostly not far behind the start. */
	if (f->end_field != SIZE_MAX && to >= known + (f->end_char == 0)) {
		line = s;
		to -= known;
	}
	if (f->start_skips)
		s = skip_blanks(s, end);
	s = skip_chars(s, end, f->start_char);
	if (f->end_field != SIZE_MAX) {
		/* Character 0 of POS2 is the whole of its field. */
		if (f->end_char == 0)
			lim = skip_fields(o, line, end, to, false);
		else {
			lim = skip_fields(o, line, end, to, true);
			if (f->end_skips)
				lim = skip_blanks(lim, end);
			lim = skip_chars(lim, end, f->end_char);
		}
	}
	*from = s;
	return lim > s ? (size_t)(lim - s) : 0;
}

/* What -g -h -M -n -R -V make of the text. */
static int
put_meaning(struct keybuf *b, const struct order *o, unsigned meaning,
    const unsigned char *s, size_t n)
{
	if (meaning & MEANS_RANDOM)
		return part_random(b, o->salt, s, n);
	switch (meaning) {
	case MEANS_GENERAL:
		return part_general(b, s, n);
	case MEANS_HUMAN:
		return part_human(b, s, n);
	case MEANS_MONTH:
		return part_month(b, s, n);
	case MEANS_NUMBER:
		return part_number(b, s, n);
	default:
		return part_version(b, s, n);
	}
}

static int
put_field(const struct order *o, const struct order_field *f,
    const unsigned char *line, size_t len, bool last, struct keybuf *b)
{
	struct keybuf text = { 0 };
	const unsigned char *s;
	size_t n, start = b->len;
	int rc;

	if (keybuf_wants(b) == 0)
		return 0;
	n = field_locate(o, f, line, len, &s);

	if (f->meaning == 0)
		rc = put_text(b, f, s, n, !last || f->reverse);
	else if (f->ignore == IGNORE_NOTHING && !f->fold)
		rc = put_meaning(b, o, f->meaning, s, n);
	else if ((rc = put_text(&text, f, s, n, false)) == 0)
		rc = put_meaning(b, o, f->meaning, text.bytes, text.len);
	keybuf_fini(&text);
	if (rc == -1)
		return -1;
	if (f->reverse)
		keybuf_complement(b, start);
	return 0;
}

static int
line_key(const struct order *o, const unsigned char *line, size_t len,
    bool whole, struct keybuf *b, struct key *key)
{
	size_t n = o->nfields, start;

	/* An empty key has an address too, for memcmp. */
	b->len = 0;
	if (keybuf_reserve(b, 1) == -1)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (put_field(o, &o->field[i], line, len, i + 1 == n && !o->tie,
			b) == -1)
			return -1;
	key->primary = b->len;
	start = b->len;
	/* Without a field the line is the key, here because it is reversed. */
	if ((o->tie && whole) || n == 0) {
		if ((o->global.reverse ? part_escaped(b, line, len)
				       : keybuf_put(b, line, len)) == -1)
			return -1;
		if (o->global.reverse)
			keybuf_complement(b, start);
		if (n == 0)
			key->primary = b->len;
	}
	key->bytes = b->bytes;
	key->len = b->len;
	if (b->most > 0 && key->len > b->most)
		key->len = b->most;
	if (key->primary > key->len)
		key->primary = key->len;
	return 0;
}

/* Sizes are fixed: nothing needs an escape or an end. */
static int
fixed_key(const struct order *o, const unsigned char *record, struct keybuf *b,
    struct key *key)
{
	const struct format *f = &o->format;

	b->len = 0;
	if (keybuf_put(b, record + f->key_off, f->key_len) == -1 ||
	    (o->tie && keybuf_put(b, record, f->size) == -1))
		return -1;
	if (o->flip)
		keybuf_complement(b, 0);
	*key = (struct key){ b->bytes, b->len, f->key_len };
	return 0;
}

/*
 * Signed: the sign bit turned round.  Floats: so for positive ones, all bits
 * turned round for negative ones, which is the order of IEEE 754-2008, 5.10.
 */
static int
number_key(const struct order *o, const unsigned char *record, struct keybuf *b,
    struct key *key)
{
	const struct format *f = &o->format;
	unsigned char *p;

	b->len = 0;
	if (keybuf_reserve(b, f->size) == -1)
		return -1;
	p = b->bytes;
	for (size_t i = 0; i < f->size; i++)
		p[i] = record[f->big_endian ? i : f->size - 1 - i];
	b->len = f->size;
	if (f->number == NUMBER_FLOAT && (p[0] & 0x80) != 0)
		keybuf_complement(b, 0);
	else if (f->number != NUMBER_UNSIGNED)
		p[0] ^= 0x80;
	if (o->flip)
		keybuf_complement(b, 0);
	*key = (struct key){ p, f->size, f->size };
	return 0;
}

int
order_key(const struct order *o, const unsigned char *record, size_t len,
    struct keybuf *b, struct key *key)
{
	const struct format *f = &o->format;
	const unsigned char *s;
	size_t n;

	if (f->kind == FORMAT_LINE) {
		if (o->slice && !o->flip && !o->tie) {
			s = skip_chars(record, record + len, o->slice_off);
			n = len - (size_t)(s - record);
			*key = (struct key){ s, n, n };
			return 0;
		}
		return line_key(o, record, len, true, b, key);
	}
	if (o->slice && !o->flip && !o->tie) {
		*key = (struct key){ record + f->key_off, f->key_len,
			f->key_len };
		return 0;
	}
	if (f->kind == FORMAT_NUMBER)
		return number_key(o, record, b, key);
	/* A key in front is a prefix of the whole record. */
	if (!o->flip && f->key_off == 0) {
		*key = (struct key){ record, f->size, f->key_len };
		return 0;
	}
	return fixed_key(o, record, b, key);
}

int
order_primary(const struct order *o, const unsigned char *record, size_t len,
    struct keybuf *b, struct key *key)
{
	if (o->format.kind == FORMAT_LINE && !o->slice)
		return line_key(o, record, len, false, b, key);
	return order_key(o, record, len, b, key);
}
