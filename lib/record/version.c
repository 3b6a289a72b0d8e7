/*
 * Keys for -V: version numbers in text, ordered as in Debian Policy 5.6.12,
 * with GNU's rules for file names. The text is split into runs of digits and
 * runs of other characters. Among the other characters, '~' sorts before the
 * end of the run, and letters sort before the rest. Runs of digits sort by
 * their value. A file suffix counts only if the rest is equal.
 *
 *   other    '~' is 1, a letter 3 to 54, the rest 55 and up; 2 ends the run
 *   digits   the number of digits without leading zeros, then the digits
 *
 * The name, without its suffix, always ends with a run of digits and a 2;
 * missing digits count as zero. A suffix is encoded in the same way, and a last
 * 2 ends both. If the name ends with digits, a 3 precedes the suffix. It
 * distinguishes a name that ends with zeros from one that ends without digits.
 */
#include <endian.h>
#include <string.h>

#include "record/chars.h"
#include "record/part.h"
#include "record/text.h"
#include "record/version.h"

enum {
	LEFT_OUT = 0,
	TILDE = 1,
	RUN_END = 2,
	BEHIND_DIGITS = 3,
	LETTER = 3,
	OTHER = 55,
	DOT = OTHER + '.',
	DIGIT = 255,
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

/* Each character that is not a digit has its own code in keys for -V. */
unsigned char
version_place(unsigned char c)
{
	if (is_digit(c))
		return DIGIT;
	if (c == '~')
		return TILDE;
	if (c >= 'A' && c <= 'Z')
		return (unsigned char)(LETTER + c - 'A');
	if (c >= 'a' && c <= 'z')
		return (unsigned char)(LETTER + 26 + c - 'a');
	/*
	 * All other characters get consecutive codes in ASCII order. Digits,
	 * letters and '~' are not among them, so subtract the number of such
	 * characters below c.
	 */
	return (unsigned char)(OTHER + c - 10 * (c > '9') - 26 * (c > 'Z') -
	    26 * (c > 'z') - (c > '~'));
}

/* Writes the number of digits to p. Returns how many bytes that takes. */
static size_t
put_count(unsigned char *p, size_t n)
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

/*
 * Finds the suffix of a file name, (\.[A-Za-z~][A-Za-z0-9~]*)*. Returns its
 * start.
 */
static const unsigned char *
find_suffix(struct text t)
{
	const unsigned char *s = t.end, *from = s;
	unsigned place, behind = LEFT_OUT;

	while (s > t.at) {
		place = t.letters->place[*--s];
		if (place == DOT && behind != LEFT_OUT && behind < OTHER) {
			from = s;
			behind = LEFT_OUT;
		} else if (place < OTHER || place == DIGIT)
			behind = place != LEFT_OUT ? place : behind;
		else
			break;
	}
	return from;
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

void
version_begin(struct part *p, struct text t)
{
	enum kind kind = kind_of(t);
	struct version *v = &p->version;

	p->head[0] = (unsigned char)kind;
	p->nhead = 1;
	if (kind < KIND_HIDDEN)
		return;
	v->text = t;
	v->text.end = find_suffix(t);
	v->end = t.end;
	v->in_number = v->has_digits = false;
	p->body = BODY_VERSION;
}

static unsigned char *
put_name(struct text *t, unsigned char *to, const unsigned char *end)
{
	const unsigned char *place = t->letters->place, *s = t->at;

	for (; to < end && s < t->end && place[*s] != DIGIT; s++) {
		*to = place[*s];
		to += *to != LEFT_OUT;
	}
	t->at = s;
	return to;
}

/*
 * Skips the zeros at the start of a number in the text, and counts the digits
 * that follow.
 */
static size_t
count_digits(struct text *t)
{
	const unsigned char *place = t->letters->place, *s;
	size_t n = 0;

	while (text_peek(t) == '0')
		t->at++;
	for (s = t->at; s < t->end && (place[*s] == DIGIT || !place[*s]); s++)
		n += place[*s] == DIGIT;
	return n;
}

size_t
version_fill(struct part *p, unsigned char *to, size_t room)
{
	struct version v = p->version;
	unsigned char *at = to, *end = to + room;

	for (;;) {
		if (!v.in_number) {
			at = put_name(&v.text, at, end);
			if (end - at <= COUNT_MOST)
				break;
			*at++ = RUN_END;
			v.has_digits = text_peek(&v.text) != -1;
			v.digits = count_digits(&v.text);
			at += put_count(at, v.digits);
			v.in_number = true;
		}
		for (; at < end && v.digits > 0; v.digits--)
			*at++ = (unsigned char)text_next(&v.text);
		if (end - at < 2)
			break;
		v.in_number = false;
		if (text_peek(&v.text) != -1)
			continue;
		*at++ = RUN_END;
		if (v.text.end == v.end) {
			*at++ = RUN_END;
			p->body = BODY_NONE;
			break;
		}
		v.text.end = v.end;
		if (v.has_digits)
			*at++ = BEHIND_DIGITS;
	}
	p->version = v;
	return (size_t)(at - to);
}
