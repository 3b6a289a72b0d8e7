#ifndef HP_RECORD_PART_H
#define HP_RECORD_PART_H

/*
 * The parts that normalized keys are built from. Only files in lib/record
 * include this header.
 *
 * Each kind of part has one producer, which makes its bytes block by block. The
 * bytes are either collected in a key or compared with those of another part.
 * No encoding of a number, month or version is a prefix of another one, so that
 * other parts can follow.
 */

#include "record/order.h"

/* How the options -f, -d, -i and -V map or ignore each character. */
struct letters {
	unsigned char to[256];
	bool kept[256];
	unsigned char place[256]; /* code for -V, see version.c */
	bool plain; /* the table changes and ignores no character */
};

extern struct letters letter_tables[2][3]; /* [fold][ignore] */

/* Fills the tables on the first call. */
void letters_ready(void);

/*
 * A text that is read through a table, which maps some characters to others and
 * ignores some.
 */
struct text {
	const struct letters *letters;
	const unsigned char *at, *end;
};

/* Returns the next character without consuming it, or -1 at the end. */
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

/* A number for -n, as its digits before and after the decimal point. */
struct decimal {
	bool minus;
	const unsigned char *whole, *part;
	size_t nwhole, npart;
};

/*
 * A text for -V, a sort of version numbers. It is read in two pieces: first the
 * name, then the suffix of a file name.
 */
struct version {
	struct text text;
	const unsigned char *end;
	/*
	 * how many digits of the current number must still be written to the
	 * key
	 */
	size_t digits;
	bool in_number, has_digits;
};

enum {
	PART_HEAD = 32 /* maximum size of the head in bytes */
};

struct part {
	unsigned char head[PART_HEAD]; /* bytes that precede the body */
	size_t at, nhead;
	/* 0xff: all bytes are complemented (reverse order). */
	unsigned char mask;
	enum {
		BODY_NONE,
		BODY_TEXT,    /* text without escapes */
		BODY_ESCAPED, /* text with escapes and an end mark */
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
 * Starts to encode part number i of a line's key. Each -k gives one part. The
 * last part is the whole line.
 */
void part_begin(struct part *, const struct order *, size_t i,
    const unsigned char *line, size_t len);
/*
 * Appends the bytes of the part to the key, up to the maximum length of a key.
 * Returns -1 if memory is full.
 */
int part_put(struct part *, struct keybuf *);
/*
 * Compares the encoded bytes of two parts. Both parts are used up afterwards.
 * Returns a number below, equal to or above 0.
 */
int part_compare(struct part *, struct part *);

/*
 * The encoders: a _begin function starts a part of a key, and a _fill function
 * writes its next bytes. If `room` is at least PART_HEAD, it writes at least
 * one byte. At the end of the part it sets the member body to BODY_NONE.
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
/* how many bytes follow the first byte in the -g key of a NaN */
extern const size_t general_nan_bytes;
void month_begin(struct part *, const unsigned char *, size_t);
void version_begin(struct part *, struct text);
size_t version_fill(struct part *, unsigned char *to, size_t room);
/*
 * Returns the byte that stands for a character in the keys of -V. It is never
 * 0.
 */
unsigned char version_place(unsigned char);
void
random_begin(struct part *, const unsigned char salt[ORDER_SALT], struct text);

/* Skips what both texts have in common. */
void text_skip_common(struct text *, struct text *);

/* Enlarges the buffer, so that n more bytes fit. */
int keybuf_grow(struct keybuf *, size_t n);
static inline int
keybuf_reserve(struct keybuf *b, size_t n)
{
	return b->cap - b->len >= n ? 0 : keybuf_grow(b, n);
}
int keybuf_put(struct keybuf *, const void *, size_t n);
/* Returns true if the key has reached its maximum length. */
static inline bool
keybuf_is_full(const struct keybuf *b)
{
	return b->most > 0 && b->len == b->most;
}
/* Complements n bytes, which reverses their order. */
void complement(unsigned char *, size_t n);

/*
 * Finds the bytes of a line that a -k option selects. Stores their address in
 * *from and returns their number.
 */
size_t field_locate(const struct order *, const struct order_field *,
    const unsigned char *line, size_t len, const unsigned char **from);
/*
 * Finds the bytes of a line that a -k option selects. Stores their address in
 * *from and returns their end, which may lie before *from.
 */
const unsigned char *
field_bounds(const struct order *, const struct order_field *,
    const unsigned char *line, size_t len, const unsigned char **from);
/*
 * Returns which power of 1000 or 1024 a unit letter such as K stands for.
 * Returns 0 if the byte is no unit.
 */
int number_unit(unsigned char);
/*
 * Returns the number of the month (1 to 12) whose name starts at s. Returns 0
 * if there is none.
 */
int month_at(const unsigned char *s, const unsigned char *end);

/* Character classes of the C locale, independent of the current locale. */
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

/*
 * Parses the decimal number at s; blanks are not skipped. Returns the end of
 * the number.
 */
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
