#ifndef HP_DOC_FLAT_H
#define HP_DOC_FLAT_H

/*
 * A fast parser for the lines that our programs write. Such a line is an object
 * of strings, counts and one level of inner objects, without blanks and
 * escapes. Every node reads the candidates of all nodes. jansson takes 4 us per
 * line, ten times as long as this parser. jansson parses lines of any other
 * form.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/* maximum number of members; lines of our programs have fewer */
	FLAT_MEMBERS = 24,
	/* maximum number of digits; the number is then below 2^53 */
	FLAT_DIGITS = 15
};

enum flat_kind {
	FLAT_COUNT,
	FLAT_TEXT,
	FLAT_OBJECT
};

struct flat_member {
	enum flat_kind kind;
	size_t inside; /* index of the enclosing object; 0: the line itself */
	const char *name, *text;
	size_t name_len, text_len;
	uint64_t count;
};

struct flat {
	struct flat_member member[FLAT_MEMBERS + 1]; /* indices start at 1 */
	size_t n;
};

/*
 * Parses a line. Returns false if the line has a form that this parser does not
 * support. The members contain pointers into the line.
 */
bool flat_read(struct flat *, const char *line, size_t len);
/*
 * Returns the index of the member called `name` in the object `inside`; 0 if
 * there is none.
 */
size_t flat_find(const struct flat *, size_t inside, const char *name);

#endif
