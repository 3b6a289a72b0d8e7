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
	COUNT_LONG = 255,
	COUNT_MOST = 1 + sizeof(uint64_t)
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

/* How many bytes the count of digits takes. */
static size_t
put_count(unsigned char p[COUNT_MOST], size_t n)
{
	uint64_t big = htobe64(n);

	if (n < COUNT_LONG) {
		p[0] = (unsigned char)n;
		return 1;
	}
	p[0] = COUNT_LONG;
	memcpy(p + 1, &big, sizeof big);
	return COUNT_MOST;
}

/* At most `most` digits of n. */
static size_t
put_digits(unsigned char *p, const unsigned char *s, size_t n, size_t most)
{
	size_t head;

	while (n > 0 && *s == '0') {
		s++;
		n--;
	}
	head = put_count(p, n);
	n = n < most ? n : most;
	memcpy(p + head, s, n);
	return head + n;
}

static int
put_version(struct keybuf *b, const unsigned char *s, size_t len)
{
	size_t i = 0, start, most = keybuf_wants(b), room = 3 * len + 16;
	unsigned char *p, *end;

	/* A count and an end for each run of digits, of which a byte is one. */
	if (most < len)
		room = most;
	if (len > SIZE_MAX / 4 ||
	    keybuf_reserve(b, most < len ? 2 * room + 3 * COUNT_MOST : room) ==
		-1)
		return -1;
	p = b->bytes + b->len;
	end = p + room;
	do {
		for (; i < len && !is_digit(s[i]) && p < end; i++)
			*p++ = place(s[i]);
		*p++ = RUN_END;
		for (start = i; i < len && is_digit(s[i]);)
			i++;
		p += put_digits(p, s + start, i - start, most);
	} while (i < len && p < end);
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

/* The bytes that put_version makes, one at a time. */
struct version {
	struct text text;
	size_t left;			 /* characters that are to come */
	unsigned char count[COUNT_MOST]; /* of digits */
	size_t ncount, at, digits;	 /* of these, to come */
	enum {
		IN_RUN,
		IN_DIGITS,
		AT_END,
		BEHIND
	} where;
};

static bool
digit_next(const struct version *v, const struct text *t)
{
	struct text ahead = *t;
	int c = v->left > 0 ? text_next(&ahead) : -1;

	return c != -1 && is_digit((unsigned char)c);
}

/* Go past the zeros before a run of digits and count it. */
static void
begin_digits(struct version *v)
{
	struct text ahead;
	size_t left;
	int c = '0';

	for (; v->left > 0; v->left--) {
		ahead = v->text;
		if ((c = text_next(&ahead)) != '0')
			break;
		v->text = ahead;
	}
	ahead = v->text;
	v->digits = 0;
	for (left = v->left; left > 0; left--, v->digits++)
		if ((c = text_next(&ahead)) == -1 ||
		    !is_digit((unsigned char)c))
			break;
	v->ncount = put_count(v->count, v->digits);
	v->at = 0;
	v->where = IN_DIGITS;
}

static int
version_next(struct version *v)
{
	switch (v->where) {
	case IN_RUN:
		if (v->left == 0 || digit_next(v, &v->text)) {
			begin_digits(v);
			return RUN_END;
		}
		v->left--;
		return place((unsigned char)text_next(&v->text));
	case IN_DIGITS:
		if (v->at < v->ncount)
			return v->count[v->at++];
		if (v->digits > 0) {
			v->digits--;
			v->left--;
			return text_next(&v->text);
		}
		v->where = v->left > 0 ? IN_RUN : AT_END;
		return version_next(v);
	case AT_END:
		v->where = BEHIND;
		return RUN_END;
	case BEHIND:
		break;
	}
	return -1;
}

static int
compare_versions(struct text a, size_t alen, struct text b, size_t blen)
{
	struct version v = { .text = a, .left = alen };
	struct version w = { .text = b, .left = blen };
	int x, y;

	do {
		x = version_next(&v);
		y = version_next(&w);
	} while (x == y && x != -1);
	return x - y;
}

static bool
in_suffix(int c)
{
	return c == '~' ||
	    (c != -1 &&
		(is_alpha((unsigned char)c) || is_digit((unsigned char)c)));
}

/* As without_suffix; *all: the length with it. */
static size_t
text_without_suffix(struct text t, size_t *all)
{
	size_t i = 0, left = 0;
	struct text ahead;
	int c = text_next(&t), next;

	for (;;) {
		while (c == '.') {
			ahead = t;
			next = text_next(&ahead);
			if (!in_suffix(next) || (next >= '0' && next <= '9'))
				break;
			for (i++; in_suffix(c = text_next(&t)); i++)
				;
		}
		if (c == -1)
			break;
		left = ++i;
		c = text_next(&t);
	}
	*all = i;
	return left;
}

static enum kind
kind_of(struct text t)
{
	int c = text_next(&t);

	if (c != '.')
		return c == -1 ? KIND_EMPTY : KIND_OTHER;
	if ((c = text_next(&t)) == -1)
		return KIND_DOT;
	return c == '.' && text_next(&t) == -1 ? KIND_DOTS : KIND_HIDDEN;
}

int
version_compare(struct text a, struct text b)
{
	enum kind x = kind_of(a), y = kind_of(b);
	size_t alen, blen, aall, ball;
	int c;

	if (x != y || x < KIND_HIDDEN)
		return (x > y) - (x < y);
	alen = text_without_suffix(a, &aall);
	blen = text_without_suffix(b, &ball);
	c = compare_versions(a, alen, b, blen);
	return c != 0 ? c : compare_versions(a, aall, b, ball);
}
