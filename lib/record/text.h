#ifndef HP_RECORD_TEXT_H
#define HP_RECORD_TEXT_H

/* Encodes text in keys. The options -f, -d and -i map or ignore characters. */

#include <stdbool.h>
#include <stddef.h>

struct part;

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

size_t text_fill(struct part *, unsigned char *to, size_t room);
size_t escaped_fill(struct part *, unsigned char *to, size_t room);

/* Skips what both texts have in common. */
void text_skip_common(struct text *, struct text *);

#endif
