#ifndef HP_RECORD_PART_H
#define HP_RECORD_PART_H

/*
 * The parts that normalized keys are put together from; private to this area.
 * What a part is, is told once for each kind, by what makes its bytes: these
 * come a block at a time, to be gathered in a key or compared with another's as
 * they come.  A part made of a number, month or version shows its own end, so
 * that another can follow; none is the beginning of another.
 */

#include "record/order.h"

/* What -f makes of each byte, and whether -d or -i leaves it. */
struct letters {
	unsigned char to[256];
	bool kept[256];
	unsigned char place[256]; /* what -V makes of it */
	bool plain;		  /* all are kept as they are */
};

extern struct letters letter_tables[2][3]; /* by fold and ignore */

/* Fills them in, once. */
void letters_ready(void);

/* Text that is looked at as they make it. */
struct text {
	const struct letters *letters;
	const unsigned char *at, *end;
};

/* The byte that is next, or -1. */
static inline int
text_peek(struct text *t)
{
	for (; t->at < t->end; t->at++)
		if (t->letters->kept[*t->at])
			return t->letters->to[*t->at];
	return -1;
}

static inline int
text_next(struct text *t)
{
	int c = text_peek(t);

	if (c != -1)
		t->at++;
	return c;
}

/* A number as -n reads it: the digits before and behind its point. */
struct decimal {
	bool minus;
	const unsigned char *whole, *part;
	size_t nwhole, npart;
};

/* Names and numbers in turn: the text up to a file's suffix, then that. */
struct version {
	struct text text;
	const unsigned char *end;
	size_t digits; /* of the number that are to come */
	bool in_number, has_digits;
};

enum {
	PART_HEAD = 32 /* bytes that a part has at hand, the most */
};

struct part {
	unsigned char head[PART_HEAD]; /* what comes before what body makes */
	size_t at, nhead;
	unsigned char mask; /* 0xff: all bytes complemented */
	enum {
		BODY_NONE,
		BODY_TEXT,    /* as it is */
		BODY_ESCAPED, /* with an end of its own */
		BODY_DIGITS,
		BODY_VERSION
	} body;
	union {
		struct text text;
		struct decimal digits;
		struct version version;
	};
};

/*
 * The i-th part of a line's key: one for each field of -k, behind these the
 * line itself.
 */
void part_begin(struct part *, const struct order *, size_t i,
    const unsigned char *line, size_t len);
/* Appends it, as far as it is wanted; -1 when there is no memory. */
int part_put(struct part *, struct keybuf *);
/* <, =, > 0 as the bytes of both compare; uses them up. */
int part_compare(struct part *, struct part *);

/*
 * What begins the part of each kind, and what makes the bytes of its body: at
 * least one, of room for PART_HEAD or more, until that is BODY_NONE.
 */
static inline void
text_begin(struct part *p, struct text t, bool ends)
{
	p->text = t;
	p->body = ends ? BODY_ESCAPED : BODY_TEXT;
}
size_t text_fill(struct part *, unsigned char *to, size_t room);
size_t escaped_fill(struct part *, unsigned char *to, size_t room);
void number_begin(struct part *, const unsigned char *, size_t);
void human_begin(struct part *, const unsigned char *, size_t, bool fold);
size_t digits_fill(struct part *, unsigned char *to, size_t room);
void general_begin(struct part *, const unsigned char *, size_t);
void month_begin(struct part *, const unsigned char *, size_t);
void version_begin(struct part *, struct text);
size_t version_fill(struct part *, unsigned char *to, size_t room);
/* The byte that is for a character: 0 is none's. */
unsigned char version_place(unsigned char);
void
random_begin(struct part *, const unsigned char salt[ORDER_SALT], struct text);

/* Go past what both begin with, where bytes that are equal make equal ones. */
void text_skip_common(struct text *, struct text *);

/* Room for n more bytes behind b->len. */
int keybuf_grow(struct keybuf *, size_t n);
static inline int
keybuf_reserve(struct keybuf *b, size_t n)
{
	return b->cap - b->len >= n ? 0 : keybuf_grow(b, n);
}
int keybuf_put(struct keybuf *, const void *, size_t n);
/* Are as many bytes in it as are wanted? */
static inline bool
keybuf_is_full(const struct keybuf *b)
{
	return b->most > 0 && b->len == b->most;
}
/* Turns the order of n bytes round. */
void complement(unsigned char *, size_t n);

/* The bytes of the line that the field is: from *from, returns how many. */
size_t field_locate(const struct order *, const struct order_field *,
    const unsigned char *line, size_t len, const unsigned char **from);
/* The same; returns its end, which may lie before its beginning. */
const unsigned char *
field_bounds(const struct order *, const struct order_field *,
    const unsigned char *line, size_t len, const unsigned char **from);
/* The power of 1000 or 1024 that the byte stands for behind a number, or 0. */
int number_unit(unsigned char);
/* The month, from 1, whose name begins at s, or 0. */
int month_at(const unsigned char *s, const unsigned char *end);

/* As in the C locale, whatever the locale is. */
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

/* Eight bytes, each c. */
#define BYTES(c) (UINT64_MAX / 0xff * (uint64_t)(c))

/*
 * Which of the eight bytes of x are below n, at most 128: the top bit of each
 * that is.  The lowest bit that is set is right, those above it need not be;
 * 0 where no byte is.
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

/* The number at s, blanks not passed over; returns where it ends. */
static inline const unsigned char *
decimal_read(
    const unsigned char *s, const unsigned char *end, struct decimal *d)
{
	if ((d->minus = s < end && *s == '-'))
		s++;
	for (d->whole = s; digit_at(s, end);)
		s++;
	d->nwhole = (size_t)(s - d->whole);
	d->part = s;
	d->npart = 0;
	if (s < end && *s == '.') {
		for (d->part = ++s; digit_at(s, end);)
			s++;
		d->npart = (size_t)(s - d->part);
	}
	return s;
}

#endif
