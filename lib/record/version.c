/*
 * Version numbers inside text, as -V orders them: runs of other characters and
 * runs of digits in turn, where '~' comes before the end, letters before the
 * rest, digits by their value.  A file's suffix counts only where all else is
 * equal.  (Debian Policy 5.6.12, with GNU's rules for file names.)
 *
 *	run	'~' is 1, a letter 3 to 54, any other 55 and up; its end is 2
 *	digits	the count of those after leading zeros, then they themselves
 *
 * The text ends behind digits, with 2: no digits at all count as zero.
 */
#include <endian.h>
#include <string.h>

#include "record/part.h"

enum {
	TILDE = 1,
	RUN_END = 2,
	LETTER = 3,
	OTHER = 55,
	COUNT_LONG = 255
};

enum kind {
	KIND_EMPTY,
	KIND_DOT,
	KIND_DOTS,
	KIND_HIDDEN,
	KIND_OTHER
};

/* The place of a character that is no digit; each has its own. */
static unsigned char
place(unsigned char c)
{
	if (c == '~')
		return TILDE;
	if (c >= 'A' && c <= 'Z')
		return (unsigned char)(LETTER + c - 'A');
	if (c >= 'a' && c <= 'z')
		return (unsigned char)(LETTER + 26 + c - 'a');
	/* Close up the gaps that digits, letters and '~' leave. */
	return (unsigned char)(OTHER + c - 10 * (c > '9') - 26 * (c > 'Z') -
	    26 * (c > 'z') - (c > '~'));
}

static size_t
put_digits(unsigned char *p, const unsigned char *s, size_t n)
{
	size_t head = 1;
	uint64_t big;

	while (n > 0 && *s == '0') {
		s++;
		n--;
	}
	if (n < COUNT_LONG)
		p[0] = (unsigned char)n;
	else {
		big = htobe64(n);
		p[0] = COUNT_LONG;
		memcpy(p + 1, &big, sizeof big);
		head += sizeof big;
	}
	memcpy(p + head, s, n);
	return head + n;
}

static int
put_version(struct keybuf *b, const unsigned char *s, size_t len)
{
	size_t i = 0, start;
	unsigned char *p;

	/* A count and an end for each run of digits, of which a byte is one. */
	if (len > SIZE_MAX / 4 || keybuf_reserve(b, 3 * len + 16) == -1)
		return -1;
	p = b->bytes + b->len;
	do {
		for (; i < len && !is_digit(s[i]); i++)
			*p++ = place(s[i]);
		*p++ = RUN_END;
		for (start = i; i < len && is_digit(s[i]);)
			i++;
		p += put_digits(p, s + start, i - start);
	} while (i < len);
	*p++ = RUN_END;
	b->len = (size_t)(p - b->bytes);
	return 0;
}

/* What is left of a name without (\.[A-Za-z~][A-Za-z0-9~]*)* at its end. */
static size_t
without_suffix(const unsigned char *s, size_t n)
{
	size_t i = 0, left = 0;

	for (;;) {
		while (i + 1 < n && s[i] == '.' &&
		    (is_alpha(s[i + 1]) || s[i + 1] == '~'))
			for (i += 2; i < n &&
			     (is_alpha(s[i]) || is_digit(s[i]) || s[i] == '~');)
				i++;
		if (i >= n)
			return left;
		left = ++i;
	}
}

int
part_version(struct keybuf *b, const unsigned char *s, size_t len)
{
	unsigned char kind = len == 0 ? KIND_EMPTY
	    : s[0] != '.'	      ? KIND_OTHER
	    : len == 1		      ? KIND_DOT
	    : len == 2 && s[1] == '.' ? KIND_DOTS
				      : KIND_HIDDEN;

	if (keybuf_put(b, &kind, 1) == -1)
		return -1;
	if (kind < KIND_HIDDEN)
		return 0;
	if (put_version(b, s, without_suffix(s, len)) == -1)
		return -1;
	return put_version(b, s, len);
}
