/*
 * Turns keys for -V, made by version.c, back into text. These keys do not
 * contain leading zeros of numbers, so the text lacks such zeros.
 */
#include <stdio.h>

#include "record/chars.h"
#include "record/decode_key.h"
#include "record/decode_version.h"
#include "record/version.h"

enum {
	RUN_END = 2, /* see version.c */
	BEHIND_DIGITS = 3,
	COUNT_LONG = 255,
	KIND_HIDDEN = 3
};

/*
 * Keys for the option -V store a character as a code, which gives its place in
 * the order. Returns the character of a code, or -1 if the code has none.
 */
static int
character(int code)
{
	for (int c = 0; c < 256; c++)
		if (!is_digit((unsigned char)c) &&
		    version_place((unsigned char)c) == code)
			return c;
	return -1;
}

/*
 * Decodes a sequence of digits. The key has the count of the digits, then the
 * digits. Stores the count in *n and appends the digits to `to`.
 */
static int
decode_run(struct encoded *k, uint64_t *n, struct keybuf *to)
{
	int c = encoded_next(k), rc = 1;

	*n = (uint64_t)c;
	if (c == -1 || (c == COUNT_LONG && !encoded_big(k, 8, n)))
		return 0;
	for (uint64_t i = 0; rc == 1 && i < *n; i++) {
		c = encoded_next(k);
		if (c < '0' || c > '9')
			return 0;
		rc = decoded_char(to, c);
	}
	return rc;
}

/*
 * Decodes the name or the suffix of a file name. A key encodes a number without
 * leading zeros, so a missing number and the number 0 have no digits in the
 * key. Sets *zero if the decoded part ends like that.
 */
static int
decode_piece(struct encoded *k, bool *zero, struct keybuf *to)
{
	uint64_t n;
	int c, rc;

	for (;;) {
		while ((c = encoded_next(k)) != RUN_END) {
			if (c == -1 || (c = character(c)) == -1)
				return 0;
			if (decoded_char(to, c) == -1)
				return -1;
		}
		if ((rc = decode_run(k, &n, to)) != 1)
			return rc;
		*zero = n == 0;
		if (encoded_peek(k) == RUN_END) {
			encoded_next(k);
			return 1;
		}
		if (n == 0 && decoded_char(to, '0') == -1)
			return -1;
	}
}

/* Returns whether the text is empty or only dots from offset `from` on. */
static bool
only_dots(const struct keybuf *text, size_t from)
{
	while (from < text->len && text->bytes[from] == '.')
		from++;
	return from == text->len;
}

int
decode_version(struct encoded *k, struct keybuf *to)
{
	int kind = encoded_next(k), rc;
	size_t from = to->len;
	bool zero;

	if (kind == -1)
		return 0;
	for (int i = 0; i < kind && kind < KIND_HIDDEN; i++)
		if (decoded_char(to, '.') == -1)
			return -1;
	if (kind < KIND_HIDDEN)
		return 1;
	if ((rc = decode_piece(k, &zero, to)) != 1)
		return rc;
	if (encoded_peek(k) != RUN_END) {
		if (encoded_peek(k) == BEHIND_DIGITS) {
			encoded_next(k);
			if (zero && decoded_char(to, '0') == -1)
				return -1;
		}
		if ((rc = decode_piece(k, &zero, to)) != 1)
			return rc;
	} else if (only_dots(to, from) && decoded_char(to, '0') == -1)
		/*
		 * The decoded text is empty or only dots. Append the number 0,
		 * for which the key has no digits: the texts "", "." and ".."
		 * alone have keys of another kind (version.c).
		 */
		return -1;
	return encoded_next(k) == RUN_END;
}
