#ifndef HP_DOC_MEMBERS_H
#define HP_DOC_MEMBERS_H

/*
 * JSON objects that are read into structs, and written from them, by a table
 * of their members.  Reading is strict: an unknown member, a missing one, a
 * wrong type, or a value out of range is HP_INPUT.
 *
 * A string stands for bytes, as file names may have every byte but NUL: each
 * of its characters, U+0001 to U+00FF, is one byte.
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
	 * char **, ends with NULL: `least` to `most` words, none of which is
	 * longer than MEMBER_WORD bytes.
	 */
	MEMBER_WORDS,
	/* uint64_t *, with their number, size_t, at `at_n`: `most` or fewer. */
	MEMBER_COUNTS
};

#define MEMBER_WORD 131071 /* as long as Linux lets an argument be */
#define MEMBER_COUNT_MOST ((uint64_t)1 << 53)

struct member {
	const char *name;
	enum member_kind kind;
	size_t at, at_n; /* of the field in its struct */
	uint64_t least, most;
	/*
	 * The member may be missing: the field is then `absent`, "" or none.
	 * A field of that value is not written.
	 */
	bool optional;
	uint64_t absent;
};

/*
 * Reads the members of the table; the struct begins zeroed, and what was
 * allocated is freed by members_fini, also after a failure.
 */
int members_read(const json_t *object, const struct member *, size_t n,
    void *out, struct hp_err *);
/* Every member is in the table or in `others`, which ends with NULL. */
int members_known(json_t *object, const struct member *, size_t n,
    const char *const *others, struct hp_err *);
/* Adds the members to the object.  -1 without memory. */
int
members_write(json_t *object, const struct member *, size_t n, const void *in);
void members_fini(const struct member *, size_t n, void *);

#endif
