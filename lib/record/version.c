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

static bool
in_suffix(int c)
{
	return c == '~' ||
	    (c != -1 &&
		(is_alpha((unsigned char)c) || is_digit((unsigned char)c)));
}

/* Where (\.[A-Za-z~][A-Za-z0-9~]*)* at the end of a name begins. */
static const unsigned char *
find_suffix(struct text t)
{
	const unsigned char *from = t.at;
	struct text ahead;
	int c = text_next(&t), next;

	for (;;) {
		while (c == '.') {
			ahead = t;
			next = text_next(&ahead);
			if (!in_suffix(next) || (next >= '0' && next <= '9'))
				break;
			while (in_suffix(c = text_next(&t)))
				;
		}
		if (c == -1)
			return from;
		from = t.at;
		c = text_next(&t);
	}
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
	v->text = v->whole = t;
	v->text.end = find_suffix(t);
	v->again = v->in_number = false;
	p->body = BODY_VERSION;
}

/* Go past the zeros before a number, and say how long it is. */
static void
begin_number(struct part *p)
{
	struct version *v = &p->version;
	struct text ahead;
	int c;

	while (text_peek(&v->text) == '0')
		v->text.at++;
	ahead = v->text;
	for (v->digits = 0; (c = text_next(&ahead)) != -1; v->digits++)
		if (!is_digit((unsigned char)c))
			break;
	p->at = 0;
	p->nhead = put_count(p->head, v->digits);
	v->in_number = true;
}

static size_t
fill_number(struct version *v, unsigned char *to, size_t room)
{
	size_t n = 0;

	for (; n < room && v->digits > 0; v->digits--)
		to[n++] = (unsigned char)text_next(&v->text);
	return n;
}

static size_t
fill_name(struct version *v, unsigned char *to, size_t room)
{
	struct text t = v->text;
	size_t n = 0;
	int c;

	while (n < room && (c = text_peek(&t)) != -1 &&
	    !is_digit((unsigned char)c)) {
		to[n++] = place((unsigned char)c);
		t.at++;
	}
	v->text = t;
	return n;
}

size_t
version_fill(struct part *p, unsigned char *to, size_t room)
{
	struct version *v = &p->version;
	size_t n = 0;

	if (v->in_number) {
		if ((n = fill_number(v, to, room)) == room)
			return n;
		v->in_number = false;
		if (text_peek(&v->text) == -1) {
			to[n++] = RUN_END;
			if (v->again)
				p->body = BODY_NONE;
			v->text = v->whole;
			v->again = true;
			return n;
		}
	}
	n += fill_name(v, to + n, room - n);
	if (n < room) {
		to[n++] = RUN_END;
		begin_number(p);
	}
	return n;
}
