#ifndef HP_DOC_LINES_H
#define HP_DOC_LINES_H

/*
 * JSON Lines documents: one object per line, each with a member `type`. Other
 * files of this area turn the lines into structs. Every error message names the
 * file and the line.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/err.h"
#include "doc/flat.h"

struct doc_in {
	FILE *file;
	const char *name;
	size_t line;
	/*
	 * The caller sets this if it reads members only with the functions
	 * below, and does not use `object`. This saves the slow building of
	 * `object`.
	 */
	bool no_object;
	/*
	 * The current line as an object, which the caller must not free. NULL
	 * if the fast parser has parsed the line into `flat`.
	 */
	json_t *object;
	struct flat flat;
	/*
	 * index in `flat` of the inner object whose members the functions below
	 * read; 0: they read the members of the line itself
	 */
	size_t inside;
	const char *type;
	char type_text[32];
	char *buf;
	size_t cap, len;
	/*
	 * names of unknown members for which a hint was printed (doc/hints.h)
	 */
	json_t *hinted;
};

/* Opens a document. "-" is standard input. */
int doc_open(struct doc_in *, const char *path, struct hp_err *);
/* Closes the document and frees its memory. A zeroed struct is allowed. */
void doc_close(struct doc_in *);
/*
 * Reads the next object. Returns 1, 0 at the end, or -1. Skips blank lines and
 * a byte order mark at the start.
 */
int doc_next(struct doc_in *, struct hp_err *);
/*
 * Calls `line` for each object of the document, until it returns -1. Returns 0,
 * or -1 if the document or a line is bad.
 */
int doc_each(const char *path,
    int (*line)(struct doc_in *, void *context, struct hp_err *), void *context,
    struct hp_err *);
/* Fails with HP_INPUT. The message names file and line. */
int doc_fail(const struct doc_in *, struct hp_err *, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Fails because the line belongs to another kind of document. */
int
doc_unexpected(const struct doc_in *, const char *expected, struct hp_err *);

/*
 * Writes one object as a line, with its members in the order they were set, and
 * releases it. Returns -1 on a write error, or if the object is NULL because
 * memory was short.
 */
int doc_put(FILE *, json_t *, struct hp_err *);
/*
 * Does the same as doc_put. Fails with HP_NOMEM if `bad` is set, that is, if
 * the caller could not add a member to the object.
 */
int doc_put_unless(FILE *, bool bad, json_t *, struct hp_err *);
/* Returns whether the text can be a member of a document: it is UTF-8. */
bool doc_is_text(const char *);
/* Returns the bytes as a JSON string of lower-case hex digits. */
json_t *doc_hex_new(const unsigned char *, size_t);
/*
 * Adds a member that shows a key as text for people to read. Adds nothing if
 * the key has more than 64 bytes or needs escapes. Returns -1 if there is no
 * memory.
 */
int doc_set_text(json_t *, const char *member, const unsigned char *, size_t);
/*
 * Returns a JSON number. Integers are printed as integers, others with 17
 * digits.
 */
json_t *doc_number_new(double);

/*
 * Returns what is wrong with the name of a node or host; NULL if it is valid.
 */
const char *doc_name_fault(const char *);

#endif
