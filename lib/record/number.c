/*
 * Numbers and months, as sort(1) reads them in the C locale.
 */
#include <endian.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/part.h"

/* Without the zeros at either end that do not change it. */
static inline void
trim(struct decimal *d)
{
	for (; d->nwhole > 0 && *d->whole == '0'; d->nwhole--)
		d->whole++;
	while (d->npart > 0 && d->part[d->npart - 1] == '0')
		d->npart--;
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

static unsigned char *
put_count(unsigned char *p, size_t count)
{
	uint64_t big = htobe64(count);

	if (count < NUMBER_SHORT_MOST) {
		*p++ = (unsigned char)(NUMBER_ZERO + 1 + count);
		return p;
	}
	*p++ = NUMBER_LONG;
	memcpy(p, &big, sizeof big);
	return p + sizeof big;
}

static unsigned char *
put_digits(unsigned char *p, const struct decimal *d)
{
	const unsigned char *whole = d->whole, *part = d->part;
	size_t nwhole = d->nwhole, n = nwhole + d->npart;

	for (size_t i = 0; i < n; i += 2) {
		unsigned hi = i < nwhole ? whole[i] : part[i - nwhole];
		unsigned lo = i + 1 == n ? '0'
		    : i + 1 < nwhole	 ? whole[i + 1]
					 : part[i + 1 - nwhole];

		*p++ = (unsigned char)(1 + 10 * (hi - '0') + (lo - '0'));
	}
	*p++ = 0;
	return p;
}

/* No more digits than show in n bytes, but one. */
static inline void
clip(struct decimal *d, size_t n)
{
	size_t most = n < SIZE_MAX / 2 ? 2 * n + 1 : SIZE_MAX;

	d->nwhole = d->nwhole < most ? d->nwhole : most;
	most -= d->nwhole;
	d->npart = d->npart < most ? d->npart : most;
}

int
part_number(struct keybuf *b, const unsigned char *s, size_t len)
{
	const unsigned char *end = s + len;
	size_t count, start = b->len;
	struct decimal d;
	unsigned char *p;

	decimal_read(skip_blanks(s, end), end, &d);
	trim(&d);
	count = d.nwhole;
	while (d.npart == 0 && d.nwhole > 0 && d.whole[d.nwhole - 1] == '0')
		d.nwhole--;
	clip(&d, keybuf_wants(b));
	if (keybuf_reserve(b, 16 + (d.nwhole + d.npart) / 2) == -1)
		return -1;
	p = b->bytes + start;
	if (d.nwhole + d.npart == 0) {
		*p++ = NUMBER_ZERO;
		d.minus = false;
	} else
		p = put_digits(put_count(p, count), &d);
	b->len = (size_t)(p - b->bytes);
	if (d.minus)
		keybuf_complement(b, start);
	return 0;
}

static int
compare_sizes(const struct decimal *x, const struct decimal *y)
{
	int c;

	if (x->nwhole != y->nwhole)
		return x->nwhole < y->nwhole ? -1 : 1;
	if ((c = memcmp(x->whole, y->whole, x->nwhole)) != 0)
		return c;
	return key_cmp(x->part, x->npart, y->part, y->npart);
}

int
number_compare(
    const unsigned char *a, size_t alen, const unsigned char *b, size_t blen)
{
	struct decimal x, y;

	decimal_read(skip_blanks(a, a + alen), a + alen, &x);
	decimal_read(skip_blanks(b, b + blen), b + blen, &y);
	trim(&x);
	trim(&y);
	x.minus = x.minus && x.nwhole + x.npart > 0;
	y.minus = y.minus && y.nwhole + y.npart > 0;
	if (x.minus != y.minus)
		return x.minus ? -1 : 1;
	return x.minus ? compare_sizes(&y, &x) : compare_sizes(&x, &y);
}

int
number_unit(unsigned char c)
{
	static const char units[] = "KMGTPEZYRQ";
	const char *unit = c == '\0' ? NULL : strchr(units, c == 'k' ? 'K' : c);

	return unit == NULL ? 0 : (int)(unit - units) + 1;
}

/*
 * The power of 1000 or 1024 that a number's unit stands for; below zero for
 * numbers below zero, 0 for zero itself, whatever its unit.
 */
static int
unit_order(const unsigned char *s, const unsigned char *end, bool fold)
{
	struct decimal d;
	int n;

	s = decimal_read(s, end, &d);
	trim(&d);
	if (d.nwhole + d.npart == 0 || s == end)
		return 0;
	n = number_unit(fold ? to_upper(*s) : *s);
	return d.minus ? -n : n;
}

int
part_human(struct keybuf *b, const unsigned char *s, size_t len)
{
	const unsigned char *end = s + len;
	unsigned char order;

	s = skip_blanks(s, end);
	order = (unsigned char)(0x80 + unit_order(s, end, false));
	if (keybuf_put(b, &order, 1) == -1)
		return -1;
	return part_number(b, s, (size_t)(end - s));
}

int
human_compare(const unsigned char *a, size_t alen, const unsigned char *b,
    size_t blen, bool fold)
{
	const unsigned char *aend = a + alen, *bend = b + blen;
	int x, y;

	a = skip_blanks(a, aend);
	b = skip_blanks(b, bend);
	x = unit_order(a, aend, fold);
	y = unit_order(b, bend, fold);
	if (x != y)
		return x < y ? -1 : 1;
	return number_compare(a, (size_t)(aend - a), b, (size_t)(bend - b));
}

/*
 * What strtold makes of the text: 0 where that is nothing; 1 and
 * its bytes in memory, as GNU has it, for not a number; 0x80 for zero, 0x82 for
 * infinity; else 0x81, the exponent and 128 bits of the mantissa, enough for
 * every long double there is.  Negative ones are the complement.
 */
enum {
	GENERAL_NOTHING = 0,
	GENERAL_NAN = 1,
	GENERAL_ZERO = 0x80,
	GENERAL_FINITE = 0x81,
	GENERAL_INFINITE = 0x82,
	GENERAL_LONGEST = 32,
	GENERAL_MOST = 1 << 15, /* bytes of a number that are read */
	/* Those of an x87 long double are followed by padding. */
	NAN_BYTES = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double)
};

static size_t
encode_general(long double x, unsigned char *p)
{
	long double m;
	uint64_t high, low;
	uint32_t e;
	int exponent;

	if (isnan(x)) {
		p[0] = GENERAL_NAN;
		memcpy(p + 1, &x, NAN_BYTES);
		return 1 + NAN_BYTES;
	}
	x = fabsl(x);
	p[0] = x == 0  ? GENERAL_ZERO
	    : isinf(x) ? GENERAL_INFINITE
		       : GENERAL_FINITE;
	if (p[0] != GENERAL_FINITE)
		return 1;
	m = ldexpl(frexpl(x, &exponent), 64);
	high = (uint64_t)m;
	low = htobe64((uint64_t)ldexpl(m - (long double)high, 64));
	high = htobe64(high);
	e = htobe32((uint32_t)(exponent + (1 << 30)));
	memcpy(p + 1, &e, 4);
	memcpy(p + 5, &high, 8);
	memcpy(p + 13, &low, 8);
	return 21;
}

/* The text that may be a number, with a NUL behind it. */
static void
general_text(const unsigned char *s, size_t len, char text[GENERAL_MOST + 1])
{
	size_t n = 0;

	while (len > 0 && strchr(" \t\n\v\f\r", *s) != NULL && *s != '\0') {
		s++;
		len--;
	}
	while (n < len && n < GENERAL_MOST &&
	    (is_alpha(s[n]) || is_digit(s[n]) ||
		(s[n] != '\0' && strchr("+-.()_", s[n]) != NULL))) {
		text[n] = (char)s[n];
		n++;
	}
	text[n] = '\0';
}

/* The bytes of a part; returns how many. */
static size_t
general_part(
    const unsigned char *s, size_t len, unsigned char p[GENERAL_LONGEST])
{
	char text[GENERAL_MOST + 1], *end;
	struct keybuf b = { .bytes = p };
	long double x;

	general_text(s, len, text);
	x = strtold(text, &end);
	if (end == text) {
		p[0] = GENERAL_NOTHING;
		return 1;
	}
	b.len = encode_general(x, p);
	if (x < 0)
		keybuf_complement(&b, 0);
	return b.len;
}

int
part_general(struct keybuf *b, const unsigned char *s, size_t len)
{
	unsigned char p[GENERAL_LONGEST];

	return keybuf_put(b, p, general_part(s, len, p));
}

int
general_compare(
    const unsigned char *a, size_t alen, const unsigned char *b, size_t blen)
{
	unsigned char x[GENERAL_LONGEST], y[GENERAL_LONGEST];
	size_t n = general_part(a, alen, x), m = general_part(b, blen, y);

	return key_cmp(x, n, y, m);
}

int
month_at(const unsigned char *s, const unsigned char *end)
{
	static const char names[] = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";

	for (size_t i = 0; end - s >= 3 && i < sizeof names - 1; i += 3)
		if (to_upper(s[0]) == names[i] &&
		    to_upper(s[1]) == names[i + 1] &&
		    to_upper(s[2]) == names[i + 2])
			return (int)(i / 3 + 1);
	return 0;
}

int
part_month(struct keybuf *b, const unsigned char *s, size_t len)
{
	const unsigned char *end = s + len;
	unsigned char month = (unsigned char)month_at(skip_blanks(s, end), end);

	return keybuf_put(b, &month, 1);
}
