#ifndef HP_DOC_FLAT_H
#define HP_DOC_FLAT_H

/*
 * Lines as the programs write them: an object of strings, counts and objects of
 * such, without blanks and escapes.  A node reads the candidates of all nodes,
 * and jansson takes 4 us for such a line, ten times what it takes to read it in
 * place.  A line of any other form is left to jansson.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FLAT_MEMBERS = 24, /* more than any line of ours has */
	FLAT_DIGITS = 15   /* below 2^53 */
};

enum flat_kind {
	FLAT_COUNT,
	FLAT_TEXT,
	FLAT_OBJECT
};

struct flat_member {
	enum flat_kind kind;
	size_t inside; /* place of the object that it is of; 0: the line */
	const char *name, *text;
	size_t name_len, text_len;
	uint64_t count;
};

struct flat {
	struct flat_member member[FLAT_MEMBERS + 1]; /* the first is at 1 */
	size_t n;
};

/* Whether the line is of that form; the members point into it. */
bool flat_read(struct flat *, const char *line, size_t len);
/* The place of an object's member of that name; 0: there is none. */
size_t flat_find(const struct flat *, size_t inside, const char *name);

#endif
