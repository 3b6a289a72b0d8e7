#ifndef HP_DOC_LINES_H
#define HP_DOC_LINES_H

/*
 * JSON Lines documents: one object a line, each with a type.  The other files
 * of this area turn the lines of one document into the structs of the area
 * that uses them.  Every error names file and line.
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
	/* Of the reader: it does without `object`, which takes long to make. */
	bool no_object;
	/* The line just read is an object, borrowed, or NULL, and flat. */
	json_t *object;
	struct flat flat;
	size_t inside; /* the object of the flat line that is read, if not 0 */
	const char *type;
	char type_text[32];
	char *buf;
	size_t cap, len;
	json_t *hinted; /* members of which a hint was given (doc/hints.h) */
};

/* "-" is standard input. */
int doc_open(struct doc_in *, const char *path, struct hp_err *);
/* Harmless on a zeroed struct. */
void doc_close(struct doc_in *);
/*
 * Reads the next object: 1, 0 at the end, -1.  Blank lines are passed over, and
 * a byte order mark before the first one.
 */
int doc_next(struct doc_in *, struct hp_err *);
/* Fails, naming file and line. */
int doc_fail(const struct doc_in *, struct hp_err *, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Fails because the line is not of the document that is expected. */
int
doc_unexpected(const struct doc_in *, const char *expected, struct hp_err *);

/*
 * The members of the object just read.  Each returns 1 when it is there, 0
 * when it is not (or null) and optional, -1 when it is of another type, out of
 * range, or missing and required.  *out stays as it was unless 1 is returned.
 */
enum doc_need {
	DOC_OPTIONAL,
	DOC_REQUIRED
};
int doc_u64(const struct doc_in *, const char *member, enum doc_need,
    uint64_t *, struct hp_err *); /* integer, 0 to 2^53 */
int doc_number(const struct doc_in *, const char *member, enum doc_need,
    double *, struct hp_err *); /* finite */
int doc_bool(const struct doc_in *, const char *member, enum doc_need, bool *,
    struct hp_err *);
/* A copy that the caller frees. */
int doc_string(const struct doc_in *, const char *member, enum doc_need,
    char **, struct hp_err *);
/*
 * A member that is an object, as if it were a line: 1, 0 without one, -1.  *in
 * is good until the next line, and not to be closed.
 */
int doc_inner(const struct doc_in *, const char *member, struct doc_in *in,
    struct hp_err *);
/* Is there such a member, be it null? */
bool doc_has(const struct doc_in *, const char *member);
/* Is the value an integer from 0 to 2^53? */
bool doc_is_count(const json_t *, uint64_t *);
/* Lower-case hex into bytes that the caller frees. */
int doc_hex(const struct doc_in *, const char *member, enum doc_need,
    unsigned char **, size_t *len, struct hp_err *);

/*
 * Writes one object as a line, members in the order they were set, and drops
 * it.  NULL (a failed allocation) and write errors give -1.
 */
int doc_put(FILE *, json_t *, struct hp_err *);
/* The same, unless a member could not be set: HP_NOMEM as well. */
int doc_put_unless(FILE *, bool bad, json_t *, struct hp_err *);
/* A JSON string of the bytes in lower-case hex. */
json_t *doc_hex_new(const unsigned char *, size_t);
/* A JSON number: integers print as integers, others with 17 digits. */
json_t *doc_number_new(double);

/* What is wrong with the name of a node, or of a host; NULL for nothing. */
const char *doc_name_fault(const char *);

#endif
