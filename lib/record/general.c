/*
 * Keys for -g: numbers as strtold(3) reads them. The first byte is the class: 0
 * for text that is not a number, 1 for NaN, 0x80 for zero, 0x81 for a finite
 * number, 0x82 for infinity. For a NaN, its bytes in memory follow, as in GNU
 * sort. For a finite number, the exponent and 128 bits of mantissa follow,
 * enough for any long double. Negative numbers are the complement.
 */
#include <endian.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/chars.h"
#include "record/general.h"
#include "record/part.h"

enum {
	GENERAL_NOTHING = 0,
	GENERAL_NAN = 1,
	GENERAL_ZERO = 0x80,
	GENERAL_FINITE = 0x81,
	GENERAL_INFINITE = 0x82,
	/*
	 * Maximum number of significant digits to read. Each long double, and
	 * each midpoint between two neighbouring long doubles, has fewer
	 * decimal digits. So rounding depends on the digits after these only if
	 * one of them is not zero.
	 */
	DIGITS_MOST = 1 << 14,
	TEXT_MOST = DIGITS_MOST + 32,
	/*
	 * whether a long double has the x87 format: mantissa, sign and
	 * exponent, then unused bytes
	 */
	X87 = LDBL_MANT_DIG == 64 && BYTE_ORDER == LITTLE_ENDIAN,
	NAN_BYTES = X87 ? 10 : sizeof(long double)
};

/*
 * Splits a number other than 0 into exponent and mantissa. Stores the first 128
 * bits of the mantissa, which is a fraction from 1/2 to 1, in *high and *low.
 * Returns the exponent.
 */
static int
take_apart(long double x, uint64_t *high, uint64_t *low)
{
	long double m;
	uint16_t biased;
	int exponent;

	if (X87) { /* reading the bytes is faster than frexpl */
		memcpy(high, &x, 8);
		memcpy(&biased, (const char *)&x + 8, 2);
		/*
		 * The first bit of the mantissa is set, except in subnormal
		 * numbers; these are shifted here.
		 */
		*low = 0;
		exponent = __builtin_clzll(*high);
		*high <<= exponent;
		return (biased == 0 ? 1 : biased) - exponent - 16382;
	}
	m = ldexpl(frexpl(x, &exponent), 64);
	*high = (uint64_t)m;
	*low = (uint64_t)ldexpl(m - (long double)*high, 64);
	return exponent;
}

static size_t
encode_general(long double x, unsigned char *p)
{
	uint64_t high, low;
	uint32_t e;

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
	e = htobe32((uint32_t)(take_apart(x, &high, &low) + (1 << 30)));
	high = htobe64(high);
	low = htobe64(low);
	memcpy(p + 1, &e, 4);
	memcpy(p + 5, &high, 8);
	memcpy(p + 13, &low, 8);
	return 21;
}

static bool
is_hex(unsigned char c)
{
	return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/*
 * Parses the exponent after the letter e or p. A huge exponent is limited,
 * because the number is infinite or zero anyway.
 */
static int64_t
read_power(const unsigned char *s, const unsigned char *end, char letter)
{
	bool minus;
	int64_t n = 0;

	if (s == end || (*s | 0x20) != letter)
		return 0;
	s++;
	minus = s < end && *s == '-';
	if (minus || (s < end && *s == '+'))
		s++;
	for (; digit_at(s, end); s++)
		if (n < (int64_t)1 << 56)
			n = 10 * n + (*s - '0');
	return minus ? -n : n;
}

/*
 * Shortens the text of a very long number: keeps the first DIGITS_MOST digits,
 * adds a digit 1 if any later digit is not zero, and adds an exponent so that
 * the value stays nearly the same. Leaves a text without digits unchanged.
 */
static void
shorten(const unsigned char *s, const unsigned char *end, char *text)
{
	bool hex, point = false, digits = false, more = false;
	int64_t power = 0;
	char *first;

	if (s < end && (*s == '-' || *s == '+'))
		*text++ = (char)*s++;
	hex = end - s > 2 && s[0] == '0' && (s[1] | 0x20) == 'x';
	if (hex) {
		text = stpcpy(text, "0x");
		s += 2;
	}
	for (first = text; s < end; s++) {
		if (*s == '.' && !point) {
			point = true;
			continue;
		}
		if (!(hex ? is_hex(*s) : is_digit(*s)))
			break;
		digits = true;
		if (text - first == DIGITS_MOST) {
			more = more || *s != '0';
			power += !point;
			continue;
		}
		power -= point;
		if (text > first || *s != '0')
			*text++ = (char)*s;
	}
	if (!digits)
		return;
	*text++ = more ? '1' : '0';
	power = (power - 1) * (hex ? 4 : 1) +
	    read_power(s, end, hex ? 'p' : 'e');
	sprintf(text, "%c%" PRId64, hex ? 'p' : 'e', power);
}

/*
 * Copies the characters at the start of the text that may belong to a number.
 * Adds a NUL.
 */
static void
general_text(const unsigned char *s, size_t len, char text[TEXT_MOST])
{
	size_t n = 0;

	while (len > 0 && strchr(" \t\n\v\f\r", *s) != NULL && *s != '\0') {
		s++;
		len--;
	}
	while (n < len && n < DIGITS_MOST &&
	    (is_alpha(s[n]) || is_digit(s[n]) ||
		(s[n] != '\0' && strchr("+-.()_", s[n]) != NULL))) {
		text[n] = (char)s[n];
		n++;
	}
	text[n] = '\0';
	if (n == DIGITS_MOST)
		shorten(s, s + len, text);
}

void
general_begin(struct part *p, const unsigned char *s, size_t n)
{
	char text[TEXT_MOST], *end;
	long double x;

	general_text(s, n, text);
	x = strtold(text, &end);
	if (end == text) {
		p->head[0] = GENERAL_NOTHING;
		p->nhead = 1;
		return;
	}
	p->nhead = encode_general(x, p->head);
	if (x < 0)
		p->mask ^= 0xff;
}

const size_t general_nan_bytes = NAN_BYTES;
