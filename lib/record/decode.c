/*
 * Turns normalized keys (bytes that memcmp sorts as the options ask) back into
 * text. Undoes the encodings of number.c, general.c, month.c, random.c, text.c
 * and key.c. decode_version.c undoes that of version.c.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/decode.h"
#include "record/decode_version.h"
#include "record/general.h"
#include "record/keybuf.h"

enum {
	/*
	 * The key of the number 0 is this byte. Keys of positive numbers begin
	 * with a greater byte, those of negative numbers with a smaller one
	 * (number.c).
	 */
	ZERO = 0x80,
	LONG = 0xf8,
	DIGITS_MOST = 1 << 16, /* a longer number is not shown */
	FINITE = 0x81,	       /* see general.c */
	INFINITE = 0x82,
	NAN_CLASS = 1
};

bool
order_keeps_text(const struct order *o)
{
	if (o->format.kind != FORMAT_LINE)
		return o->format.kind == FORMAT_RECORD && !o->flip;
	if (o->nfields == 0)
		return !o->global.reverse;
	return o->nfields == 1 && !o->tie && !o->field[0].reverse &&
	    o->field[0].meaning == 0;
}

static int
put_text(struct keybuf *to, const char *text)
{
	return keybuf_put(to, text, strlen(text)) == -1 ? -1 : 1;
}

/*
 * Writes a text from the key. If `escaped` is false, the text extends to the
 * end of the key.
 */
static int
decode_text(struct encoded *k, bool escaped, struct keybuf *to)
{
	int c, rc = 1;

	while (rc == 1 && (c = encoded_next(k)) != -1) {
		if (escaped && c == 0)
			return 1;
		if (escaped && c == 1) {
			if ((c = encoded_next(k)) != 1 && c != 2)
				return 0;
			c--;
		}
		rc = decoded_char(to, c);
	}
	return rc == 1 && escaped ? 0 : rc;
}

/*
 * Writes the digits of a number from the key, which holds them in pairs. The
 * decimal point follows the first `whole` digits.
 */
static int
decode_digits(struct encoded *k, uint64_t whole, struct keybuf *to)
{
	uint64_t n = 0;
	int c, rc = 1;

	if (whole == 0)
		rc = decoded_char(to, '0');
	for (; rc == 1 && (c = encoded_next(k)) != 0; n += 2) {
		if (c < 1 || c > 100)
			return 0;
		for (uint64_t i = 0; rc == 1 && i < 2; i++) {
			int digit = i == 0 ? (c - 1) / 10 : (c - 1) % 10;

			/*
			 * The key holds digits in pairs. If the text had an odd
			 * number of digits, the last pair ends with an added 0,
			 * which is not written.
			 */
			if (i == 1 && n + 1 >= whole && digit == 0 &&
			    encoded_peek(k) == 0)
				continue;
			if (n + i == whole)
				rc = decoded_char(to, '.');
			if (rc == 1)
				rc = decoded_char(to, '0' + digit);
		}
	}
	for (; rc == 1 && n < whole; n++)
		rc = decoded_char(to, '0');
	return rc;
}

/*
 * Writes a number from the key. All bytes of a negative number are inverted in
 * the key.
 */
static int
decode_number(struct encoded *k, struct keybuf *to)
{
	int c = encoded_next(k), rc;
	unsigned char mask = k->mask;
	uint64_t whole;

	if (c == -1)
		return 0;
	if (c == ZERO)
		return decoded_char(to, '0');
	if (c < ZERO) {
		k->mask ^= 0xff;
		c ^= 0xff;
		if (decoded_char(to, '-') == -1)
			return -1;
	}
	whole = (uint64_t)(c - ZERO - 1);
	if (c > LONG || (c == LONG && !encoded_big(k, 8, &whole)) ||
	    whole > DIGITS_MOST)
		return 0;
	rc = decode_digits(k, whole, to);
	k->mask = mask;
	return rc;
}

/*
 * Writes a number with a unit, such as 2K, from the key. The first byte of the
 * key stands for the unit.
 */
static int
decode_human(struct encoded *k, struct keybuf *to)
{
	static const char units[] = "\0KMGTPEZYRQ";
	int c = encoded_next(k), rc;

	if (c == -1)
		return 0;
	c = (c < ZERO ? c ^ 0xff : c) - ZERO;
	if (c >= (int)sizeof units - 1)
		return 0;
	rc = decode_number(k, to);
	return rc == 1 && c > 0 ? decoded_char(to, units[c]) : rc;
}

/*
 * Writes x with as few digits as possible, so that strtold reads the same
 * value.
 */
static int
put_long_double(struct keybuf *to, long double x)
{
	char text[64];

	for (int digits = 1; digits <= 36; digits++) {
		snprintf(text, sizeof text, "%.*Lg", digits, x);
		if (strtold(text, NULL) == x)
			break;
	}
	return put_text(to, text);
}

/*
 * Reads the exponent and the mantissa of a number from the key, and writes the
 * number as text.
 */
static int
decode_finite(struct encoded *k, bool minus, struct keybuf *to)
{
	uint64_t biased, high, low;
	int64_t power;
	long double x;

	if (!encoded_big(k, 4, &biased) || !encoded_big(k, 8, &high) ||
	    !encoded_big(k, 8, &low))
		return 0;
	power = (int64_t)biased - (1 << 30);
	if (power < LDBL_MIN_EXP - LDBL_MANT_DIG || power > LDBL_MAX_EXP)
		return 0;
	x = ldexpl((long double)high, (int)power - 64) +
	    ldexpl((long double)low, (int)power - 128);
	return put_long_double(to, minus ? -x : x);
}

static int
decode_general(struct encoded *k, size_t nan_bytes, struct keybuf *to)
{
	int c = encoded_next(k), rc = 0;
	bool minus = c > NAN_CLASS && c < ZERO;

	if (minus) {
		k->mask ^= 0xff;
		c ^= 0xff;
	}
	if (c == 0)
		rc = 1;
	else if (c == NAN_CLASS && (size_t)(k->end - k->at) >= nan_bytes) {
		k->at += nan_bytes;
		rc = put_text(to, "nan");
	} else if (c == ZERO)
		rc = decoded_char(to, '0');
	else if (c == INFINITE)
		rc = put_text(to, minus ? "-inf" : "inf");
	else if (c == FINITE)
		rc = decode_finite(k, minus, to);
	if (minus)
		k->mask ^= 0xff;
	return rc;
}

static int
decode_month(struct encoded *k, struct keybuf *to)
{
	static const char names[13][4] = { "", "JAN", "FEB", "MAR", "APR",
		"MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC" };
	int c = encoded_next(k);

	return c == -1 || c > 12 ? 0 : put_text(to, names[c]);
}

/*
 * Writes the text of one field from the key. `ends` tells whether the field has
 * an end mark in the key, because other fields follow.
 */
static int
decode_field(struct encoded *k, const struct order_field *f, bool ends,
    struct keybuf *to)
{
	enum {
		HASH = 16 /* MD5, which random.c puts before the text */
	};

	k->mask = f->reverse ? 0xff : 0;
	if (f->meaning & MEANS_RANDOM) {
		if (k->end - k->at < HASH)
			return 0;
		k->at += HASH;
		return decode_text(k, true, to);
	}
	switch (f->meaning) {
	case 0:
		return decode_text(k, ends || f->reverse, to);
	case MEANS_GENERAL:
		return decode_general(k, general_nan_bytes, to);
	case MEANS_HUMAN:
		return decode_human(k, to);
	case MEANS_MONTH:
		return decode_month(k, to);
	case MEANS_NUMBER:
		return decode_number(k, to);
	default:
		return decode_version(k, to);
	}
}

static int
decode_line(const struct order *o, struct encoded *k, struct keybuf *to)
{
	size_t from = to->len;
	int rc = 1;

	for (size_t i = 0; rc == 1 && i < o->nfields; i++) {
		if (i > 0)
			rc = decoded_char(to, '\t');
		if (rc == 1)
			rc = decode_field(
			    k, &o->field[i], i + 1 < o->nfields || o->tie, to);
	}
	if (rc == 1 && (o->nfields == 0 || o->tie)) {
		/*
		 * The whole line ends the key. It contains all fields, so
		 * discard the fields decoded above.
		 */
		to->len = from;
		k->mask = o->global.reverse ? 0xff : 0;
		rc = decode_text(k, o->global.reverse, to);
	}
	return rc == 1 && k->at < k->end ? 0 : rc;
}

static int
put_double(struct keybuf *to, double x, bool narrow)
{
	char text[32];

	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, x);
		if (narrow ? strtof(text, NULL) == (float)x
			   : strtod(text, NULL) == x)
			break;
	}
	return put_text(to, text);
}

static int
decode_binary(const struct order *o, struct encoded *k, struct keybuf *to)
{
	size_t size = o->format.size;
	uint64_t bits, sign = (uint64_t)1 << (8 * size - 1);
	char text[32];
	uint32_t single;
	float narrow;
	double x;

	if ((size_t)(k->end - k->at) != size || !encoded_big(k, size, &bits))
		return 0;
	if (o->format.number == NUMBER_FLOAT) {
		bits ^= (bits & sign) != 0 ? sign : UINT64_MAX;
		single = (uint32_t)bits;
		memcpy(&narrow, &single, sizeof narrow);
		memcpy(&x, &bits, sizeof x);
		return put_double(to, size == 4 ? narrow : x, size == 4);
	}
	if (o->format.number == NUMBER_UNSIGNED)
		snprintf(text, sizeof text, "%" PRIu64, bits);
	else
		/*
		 * In the key, 2^(bits-1) was added to the number, so that
		 * negative numbers come first.
		 */
		snprintf(text, sizeof text, "%" PRId64, (int64_t)(bits - sign));
	return put_text(to, text);
}

int
order_decode(const struct order *o, const unsigned char *key, size_t len,
    struct keybuf *to)
{
	struct encoded k = { key, key + len, o->flip ? 0xff : 0 };

	if (o->format.kind == FORMAT_LINE)
		return decode_line(o, &k, to);
	if (o->format.kind == FORMAT_NUMBER)
		return decode_binary(o, &k, to);
	if (len < o->format.key_len)
		return 0;
	k.end = key + o->format.key_len;
	return decode_text(&k, false, to);
}
