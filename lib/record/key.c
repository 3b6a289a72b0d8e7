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
#include <stdlib.h>
#include <string.h>

#include "record/order.h"

void
keybuf_fini(struct keybuf *b)
{
	free(b->bytes);
	*b = (struct keybuf){ 0 };
}

/* Room for n more bytes. */
static int
reserve(struct keybuf *b, size_t n)
{
	unsigned char *grown;
	size_t cap;

	if (b->cap - b->len >= n)
		return 0;
	if (__builtin_add_overflow(b->len, n, &cap) || cap > SIZE_MAX / 2)
		return -1;
	cap = cap < 256 ? 256 : cap + cap / 2;
	if ((grown = realloc(b->bytes, cap)) == NULL)
		return -1;
	b->bytes = grown;
	b->cap = cap;
	return 0;
}

static void
complement(unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (unsigned char)~p[i];
}

static int
put_raw(struct keybuf *b, const unsigned char *s, size_t n)
{
	if (reserve(b, n) == -1)
		return -1;
	if (n > 0)
		memcpy(b->bytes + b->len, s, n);
	b->len += n;
	return 0;
}

/* Escaped and ended. */
static int
put_escaped(struct keybuf *b, const unsigned char *s, size_t n)
{
	unsigned char *p;

	if (n > (SIZE_MAX - 1) / 2 || reserve(b, 2 * n + 1) == -1)
		return -1;
	p = b->bytes + b->len;
	for (size_t i = 0; i < n; i++) {
		if (s[i] > 1)
			*p++ = s[i];
		else {
			*p++ = 1;
			*p++ = (unsigned char)(s[i] + 1);
		}
	}
	*p++ = 0;
	b->len = (size_t)(p - b->bytes);
	return 0;
}

/* As isblank, isprint and toupper of the C locale, whatever the locale is. */
static bool
is_blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static bool
is_alnum(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	    (c >= 'a' && c <= 'z');
}

static unsigned char
to_upper(unsigned char c)
{
	return c >= 'a' && c <= 'z' ? (unsigned char)(c - 'a' + 'A') : c;
}

static bool
ignored(const struct order_field *f, unsigned char c)
{
	if (f->ignore == IGNORE_NONDICTIONARY)
		return !is_blank(c) && !is_alnum(c);
	return f->ignore == IGNORE_NONPRINTING && (c < ' ' || c > '~');
}

/* The text as -d, -f and -i make it, escaped and ended if it has to be. */
static int
put_text(struct keybuf *b, const struct order_field *f, const unsigned char *s,
    size_t n, bool escape)
{
	unsigned char *p;

	if (f->ignore == IGNORE_NOTHING && !f->fold)
		return escape ? put_escaped(b, s, n) : put_raw(b, s, n);
	if (n > (SIZE_MAX - 1) / 2 || reserve(b, 2 * n + 1) == -1)
		return -1;
	p = b->bytes + b->len;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = f->fold ? to_upper(s[i]) : s[i];

		if (ignored(f, s[i]))
			continue;
		if (escape && c <= 1) {
			*p++ = 1;
			c++;
		}
		*p++ = c;
	}
	if (escape)
		*p++ = 0;
	b->len = (size_t)(p - b->bytes);
	return 0;
}

static bool
is_digit(const unsigned char *s, const unsigned char *end)
{
	return s < end && *s >= '0' && *s <= '9';
}

/*
 * A decimal number of any length, as -n reads it: blanks, a minus, digits, a
 * point and digits.  Zero is the byte 0x80.  A positive number is the count of
 * its digits before the point (one byte 0x81 to 0xF7, or 0xF8 and eight), its
 * digits in pairs as 1 to 100, without zeros at either end, and 0x00.  A
 * negative one is the complement of that.  All have an end of their own.
 */
enum {
	NUMBER_ZERO = 0x80,
	NUMBER_LONG = 0xF8,
	NUMBER_SHORT_MOST = NUMBER_LONG - NUMBER_ZERO - 1
};

static void
put_digits(unsigned char **p, const unsigned char *whole, size_t nwhole,
    const unsigned char *part, size_t npart)
{
	size_t n = nwhole + npart;

	for (size_t i = 0; i < n; i += 2) {
		unsigned hi = i < nwhole ? whole[i] : part[i - nwhole];
		unsigned lo = i + 1 == n ? '0'
		    : i + 1 < nwhole	 ? whole[i + 1]
					 : part[i + 1 - nwhole];

		*(*p)++ = (unsigned char)(1 + 10 * (hi - '0') + (lo - '0'));
	}
	*(*p)++ = 0;
}

static int
put_number(struct keybuf *b, const unsigned char *s, size_t len)
{
	const unsigned char *end = s + len, *whole, *part;
	size_t nwhole, npart = 0, count;
	unsigned char *p, *start;
	bool minus;

	while (s < end && is_blank(*s))
		s++;
	if ((minus = s < end && *s == '-'))
		s++;
	while (s < end && *s == '0')
		s++;
	for (whole = s; is_digit(s, end);)
		s++;
	nwhole = count = (size_t)(s - whole);
	part = s;
	if (s < end && *s == '.') {
		for (part = ++s; is_digit(s, end);)
			s++;
		npart = (size_t)(s - part);
	}
	while (npart > 0 && part[npart - 1] == '0')
		npart--;
	if (npart == 0)
		while (nwhole > 0 && whole[nwhole - 1] == '0')
			nwhole--;
	if (reserve(b, 16 + (nwhole + npart) / 2) == -1)
		return -1;
	p = start = b->bytes + b->len;
	if (nwhole + npart == 0) {
		*p++ = NUMBER_ZERO;
		minus = false;
	} else {
		if (count < NUMBER_SHORT_MOST)
			*p++ = (unsigned char)(NUMBER_ZERO + 1 + count);
		else {
			uint64_t big = htobe64(count);

			*p++ = NUMBER_LONG;
			memcpy(p, &big, sizeof big);
			p += sizeof big;
		}
		put_digits(&p, whole, nwhole, part, npart);
	}
	if (minus)
		complement(start, (size_t)(p - start));
	b->len = (size_t)(p - b->bytes);
	return 0;
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
		while (s < end && is_blank(*s))
			s++;
		while (s < end && !is_blank(*s))
			s++;
	}
	return s;
}

static const unsigned char *
skip_blanks(const unsigned char *s, const unsigned char *end)
{
	while (s < end && is_blank(*s))
		s++;
	return s;
}

static const unsigned char *
skip_chars(const unsigned char *s, const unsigned char *end, size_t n)
{
	return n < (size_t)(end - s) ? s + n : end;
}

/* The bytes of the line that the field is: from *from, returns how many. */
static size_t
locate(const struct order *o, const struct order_field *f,
    const unsigned char *line, size_t len, const unsigned char **from)
{
	const unsigned char *end = line + len, *s, *lim = end;

	s = skip_fields(o, line, end, f->start_field, true);
	if (f->start_skips)
		s = skip_blanks(s, end);
	s = skip_chars(s, end, f->start_char);
	if (f->end_field != SIZE_MAX) {
		/* Character 0 of POS2 is the whole of its field. */
		if (f->end_char == 0)
			lim = skip_fields(
			    o, line, end, f->end_field + 1, false);
		else {
			lim = skip_fields(o, line, end, f->end_field, true);
			if (f->end_skips)
				lim = skip_blanks(lim, end);
			lim = skip_chars(lim, end, f->end_char);
		}
	}
	*from = s;
	return lim > s ? (size_t)(lim - s) : 0;
}

static int
put_field(const struct order *o, const struct order_field *f,
    const unsigned char *line, size_t len, bool last, struct keybuf *b)
{
	const unsigned char *s;
	size_t n = locate(o, f, line, len, &s), start = b->len;

	if ((f->numeric ? put_number(b, s, n)
			: put_text(b, f, s, n, !last || f->reverse)) == -1)
		return -1;
	if (f->reverse)
		complement(b->bytes + start, b->len - start);
	return 0;
}

static int
line_key(const struct order *o, const unsigned char *line, size_t len,
    struct keybuf *b, struct key *key)
{
	size_t n = o->nfields, start;

	b->len = 0;
	for (size_t i = 0; i < n; i++)
		if (put_field(o, &o->field[i], line, len, i + 1 == n && !o->tie,
			b) == -1)
			return -1;
	key->primary = b->len;
	start = b->len;
	/* Without a field the line is the key, here because it is reversed. */
	if (o->tie || n == 0) {
		if ((o->global.reverse ? put_escaped(b, line, len)
				       : put_raw(b, line, len)) == -1)
			return -1;
		if (o->global.reverse)
			complement(b->bytes + start, b->len - start);
		if (n == 0)
			key->primary = b->len;
	}
	key->bytes = b->bytes;
	key->len = b->len;
	return 0;
}

/* Sizes are fixed: nothing needs an escape or an end. */
static int
fixed_key(const struct order *o, const unsigned char *record, struct keybuf *b,
    struct key *key)
{
	const struct format *f = &o->format;

	b->len = 0;
	if (put_raw(b, record + f->key_off, f->key_len) == -1 ||
	    (o->tie && put_raw(b, record, f->size) == -1))
		return -1;
	if (o->flip)
		complement(b->bytes, b->len);
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
	if (reserve(b, f->size) == -1)
		return -1;
	p = b->bytes;
	for (size_t i = 0; i < f->size; i++)
		p[i] = record[f->big_endian ? i : f->size - 1 - i];
	if (f->number == NUMBER_FLOAT && (p[0] & 0x80) != 0)
		complement(p, f->size);
	else if (f->number != NUMBER_UNSIGNED)
		p[0] ^= 0x80;
	if (o->flip)
		complement(p, f->size);
	b->len = f->size;
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
		return line_key(o, record, len, b, key);
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
