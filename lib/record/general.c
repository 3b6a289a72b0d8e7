/*
 * What strtold makes of the text: 0 where that is nothing; 1 and its bytes in
 * memory, as GNU has it, for not a number; 0x80 for zero, 0x82 for infinity;
 * else 0x81, the exponent and 128 bits of the mantissa, enough for every long
 * double there is.  Negative ones are the complement.
 */
#include <endian.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/part.h"

enum {
	GENERAL_NOTHING = 0,
	GENERAL_NAN = 1,
	GENERAL_ZERO = 0x80,
	GENERAL_FINITE = 0x81,
	GENERAL_INFINITE = 0x82,
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

void
general_begin(struct part *p, const unsigned char *s, size_t n)
{
	char text[GENERAL_MOST + 1], *end;
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
