#ifndef HP_RECORD_CHARS_H
#define HP_RECORD_CHARS_H

/* Character classes of the C locale, independent of the current locale. */

#include <stdbool.h>
#include <stdint.h>

static inline bool
is_blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static inline const unsigned char *
skip_blanks(const unsigned char *s, const unsigned char *end)
{
	while (s < end && is_blank(*s))
		s++;
	return s;
}

/* A 64-bit number with c in each byte. */
#define BYTES(c) (UINT64_MAX / 0xff * (uint64_t)(c))

/*
 * Finds the bytes of x that are less than n; n is at most 128. The top bit of
 * the lowest such byte is set in the result. Higher bits may be set wrongly by
 * a borrow. The result is 0 if and only if x has no such byte.
 */
static inline uint64_t
bytes_below(uint64_t x, unsigned n)
{
	return (x - BYTES(n)) & ~x & BYTES(0x80);
}

static inline bool
is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
is_alpha(unsigned char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static inline unsigned char
to_upper(unsigned char c)
{
	return c >= 'a' && c <= 'z' ? (unsigned char)(c - 'a' + 'A') : c;
}

static inline bool
digit_at(const unsigned char *s, const unsigned char *end)
{
	return s < end && is_digit(*s);
}

#endif
