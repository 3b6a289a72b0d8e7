#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"

/*
 * Returns the length of the UTF-8 sequence at p, which has n bytes.  Returns 0
 * for control characters and for invalid sequences, such as overlong forms,
 * surrogates and values above U+10FFFF.
 */
static size_t
sequence(const unsigned char *p, size_t n)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = *p < 0x80 ? 1
	    : *p < 0xc2	       ? 0
	    : *p < 0xe0	       ? 2
	    : *p < 0xf0	       ? 3
	    : *p < 0xf5	       ? 4
			       : 0;
	uint32_t c;

	if (len == 0 || len > n)
		return 0;
	if (len == 1)
		return (*p >= ' ' && *p != 0x7f) || *p == '\t';
	c = *p & (0x7fU >> len);
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	/* U+0080 to U+009F are also control characters. */
	if (c < 0xa0 || c < least[len] || (c >= 0xd800 && c < 0xe000) ||
	    c > 0x10ffff)
		return 0;
	return len;
}

char *
printable(const char *text, size_t len, char *out, size_t size)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t used = 0, n;
	char code[8];

	for (size_t i = 0; i<len; i += n> 0 ? n : 1) {
		n = sequence(p + i, len - i);
		snprintf(code, sizeof code, "\\%03o", p[i]);
		if (used + (n > 0 ? n : 4) >= size)
			break;
		memcpy(out + used, n > 0 ? text + i : code, n > 0 ? n : 4);
		used += n > 0 ? n : 4;
	}
	out[used] = '\0';
	return out;
}

bool
is_printable(const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n;

	for (size_t i = 0; i < len; i += n)
		if ((n = sequence(p + i, len - i)) == 0)
			return false;
	return true;
}
