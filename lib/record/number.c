/*
 * Numbers and months, as sort(1) reads them in the C locale.
 */
#include <endian.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/part.h"

static bool
digit_at(const unsigned char *s, const unsigned char *end)
{
	return s < end && is_digit(*s);
}

static const unsigned char *
skip_blanks(const unsigned char *s, const unsigned char *end)
{
	while (s < end && is_blank(*s))
		s++;
	return s;
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

int
part_number(struct keybuf *b, const unsigned char *s, size_t len)
{
	const unsigned char *end = s + len, *whole, *part;
	size_t nwhole, npart = 0, count;
	size_t start = b->len;
	unsigned char *p;
	bool minus;

	s = skip_blanks(s, end);
	if ((minus = s < end && *s == '-'))
		s++;
	while (s < end && *s == '0')
		s++;
	for (whole = s; digit_at(s, end);)
		s++;
	nwhole = count = (size_t)(s - whole);
	part = s;
	if (s < end && *s == '.') {
		for (part = ++s; digit_at(s, end);)
			s++;
		npart = (size_t)(s - part);
	}
	while (npart > 0 && part[npart - 1] == '0')
		npart--;
	if (npart == 0)
		while (nwhole > 0 && whole[nwhole - 1] == '0')
			nwhole--;
	if (keybuf_reserve(b, 16 + (nwhole + npart) / 2) == -1)
		return -1;
	p = b->bytes + start;
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
	b->len = (size_t)(p - b->bytes);
	if (minus)
		keybuf_complement(b, start);
	return 0;
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
unit_order(const unsigned char *s, const unsigned char *end)
{
	bool minus = s < end && *s == '-', zero = true;
	int n;

	if (minus)
		s++;
	for (; digit_at(s, end); s++)
		zero &= *s == '0';
	if (s < end && *s == '.')
		for (s++; digit_at(s, end); s++)
			zero &= *s == '0';
	if (zero || s == end)
		return 0;
	n = number_unit(*s);
	return minus ? -n : n;
}

int
part_human(struct keybuf *b, const unsigned char *s, size_t len)
{
	const unsigned char *end = s + len;
	unsigned char order;

	s = skip_blanks(s, end);
	order = (unsigned char)(0x80 + unit_order(s, end));
	if (keybuf_put(b, &order, 1) == -1)
		return -1;
	return part_number(b, s, (size_t)(end - s));
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

int
part_general(struct keybuf *b, const unsigned char *s, size_t len)
{
	size_t start = b->len;
	long double x;
	char *text, *end;

	/* The text with a NUL behind it, beyond where its key will be. */
	if (keybuf_reserve(b, GENERAL_LONGEST + len + 1) == -1)
		return -1;
	text = (char *)b->bytes + start + GENERAL_LONGEST;
	memcpy(text, s, len);
	text[len] = '\0';
	x = strtold(text, &end);
	if (end == text) {
		b->bytes[b->len++] = GENERAL_NOTHING;
		return 0;
	}
	b->len += encode_general(x, b->bytes + start);
	if (x < 0)
		keybuf_complement(b, start);
	return 0;
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
