#ifndef HP_DOC_MEMBERS_H
#define HP_DOC_MEMBERS_H

/*
 * Reads JSON objects into structs and writes them, driven by a table of
 * members. Reading is strict: it fails with HP_INPUT if a member is unknown,
 * missing, of the wrong type or out of range.
 *
 * A JSON string represents the bytes of a C string, because a file name may
 * contain any byte except NUL. Each character from U+0001 to U+00FF stands for
 * one byte.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/err.h"

enum member_kind {
	MEMBER_COUNT, /* uint64_t, from `least` to `most` */
	MEMBER_REAL,  /* double, finite, 0 to `most` */
	MEMBER_FLAG,  /* bool */
	MEMBER_TEXT,  /* char *, `least` to `most` bytes */
	/*
	 * char **, an array of words that ends with NULL. It has `least` to
	 * `most` words of at most MEMBER_WORD bytes each.
	 */
	MEMBER_WORDS,
	/*
	 * uint64_t *, an array of at most `most` numbers. Their count is the
	 * size_t at offset `at_n` of the struct.
	 */
	MEMBER_COUNTS
};

#define MEMBER_WORD 131071 /* the longest argument that Linux allows */
#define MEMBER_COUNT_MOST ((uint64_t)1 << 53)

struct member {
	const char *name;
	enum member_kind kind;
	size_t at, at_n; /* offsets in the struct */
	uint64_t least, most;
	/*
	 * The JSON object may lack this member. Then the field of the C struct
	 * gets the value `absent` if it is a number, else it is empty. When the
	 * object is written, a member with this value is left out.
	 */
	bool optional;
	uint64_t absent;
};

/*
 * Reads the members of the table into a zeroed struct. Call members_fini
 * afterwards, even if this function fails.
 */
int members_read(const json_t *object, const struct member *, size_t n,
    void *out, struct hp_err *);
/*
 * Fails with HP_INPUT if a member is neither in the table nor in the
 * NULL-terminated list `others`.
 */
int members_known(json_t *object, const struct member *, size_t n,
    const char *const *others, struct hp_err *);
/* Adds the members to the object. Returns -1 if memory is short. */
int
members_write(json_t *object, const struct member *, size_t n, const void *in);
void members_fini(const struct member *, size_t n, void *);

#endif
