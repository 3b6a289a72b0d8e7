#ifndef HP_RECORD_PART_H
#define HP_RECORD_PART_H

/*
 * The parts that normalized keys are put together from; private to this area.
 * Each part_ function appends one part to the key and returns 0, or -1 when
 * there is no memory.  A part made of a number, month or version shows its own
 * end, so that another can follow; none is the beginning of another.
 */

#include "record/order.h"

/* Room for n more bytes behind b->len. */
int keybuf_reserve(struct keybuf *, size_t n);
/* How many more are wanted; what goes beyond that does no harm. */
static inline size_t
keybuf_wants(const struct keybuf *b)
{
	if (b->most == 0)
		return SIZE_MAX;
	return b->len < b->most ? b->most - b->len : 0;
}
int keybuf_put(struct keybuf *, const void *, size_t n);
/* Turns the order of the part round that begins at start. */
void keybuf_complement(struct keybuf *, size_t start);

int part_escaped(struct keybuf *, const unsigned char *, size_t);
int part_number(struct keybuf *, const unsigned char *, size_t);
int part_general(struct keybuf *, const unsigned char *, size_t);
int part_human(struct keybuf *, const unsigned char *, size_t);
int part_month(struct keybuf *, const unsigned char *, size_t);
int part_version(struct keybuf *, const unsigned char *, size_t);
int part_random(struct keybuf *, const unsigned char salt[ORDER_SALT],
    const unsigned char *, size_t);

/* <, =, > 0 as the parts of both compare. */
int
number_compare(const unsigned char *, size_t, const unsigned char *, size_t);
int
general_compare(const unsigned char *, size_t, const unsigned char *, size_t);
int human_compare(
    const unsigned char *, size_t, const unsigned char *, size_t, bool fold);

/* What -f makes of each byte, and whether -d or -i leaves it. */
struct letters {
	unsigned char to[256];
	bool kept[256];
};

const struct letters *letters_of(const struct order_field *);

/* Text that is looked at as they make it. */
struct text {
	const struct letters *letters;
	const unsigned char *at, *end;
};

/* The next byte, or -1. */
static inline int
text_next(struct text *t)
{
	unsigned char c;

	while (t->at < t->end) {
		c = *t->at++;
		if (t->letters->kept[c])
			return t->letters->to[c];
	}
	return -1;
}

int version_compare(struct text, struct text);
int
random_compare(const unsigned char salt[ORDER_SALT], struct text, struct text);

/* The bytes of the line that the field is: from *from, returns how many. */
size_t field_locate(const struct order *, const struct order_field *,
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

/* A number as -n reads it: the digits before and behind its point. */
struct decimal {
	bool minus;
	const unsigned char *whole, *part;
	size_t nwhole, npart;
};

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
