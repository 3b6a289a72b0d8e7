#ifndef HP_DOC_VALUES_H
#define HP_DOC_VALUES_H

/* Reads the members of a JSON object. */

#include "doc/lines.h"

/*
 * These functions read members of the current object. Each returns 1 if the
 * member is present, and 0 if an optional member is absent or null. Each
 * returns -1 if the member has the wrong type, is out of range, or is required
 * and absent. *out changes only if the result is 1.
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
/* Stores a copy that the caller frees. */
int doc_string(const struct doc_in *, const char *member, enum doc_need,
    char **, struct hp_err *);
/*
 * Opens a member that is an object, so that the functions above can read its
 * members. Returns 1, 0 if it is absent, or -1. *in is valid until the next
 * line is read, and must not be closed.
 */
int doc_inner(const struct doc_in *, const char *member, struct doc_in *in,
    struct hp_err *);
/* Returns whether the member is present, even if it is null. */
bool doc_has(const struct doc_in *, const char *member);
/* Stores an integer from 0 to 2^53. Returns false for any other value. */
bool doc_is_count(const json_t *, uint64_t *);
/* Decodes lower-case hex digits into bytes that the caller frees. */
int doc_hex(const struct doc_in *, const char *member, enum doc_need,
    unsigned char **, size_t *len, struct hp_err *);
/*
 * Decodes a key whose bytes are split between two members. `member` has the
 * bytes of the key fields. `rest` has the bytes of the last-resort comparison.
 * The member `rest` is optional, and the argument may be NULL. Sets *primary,
 * unless it is NULL, to the number of bytes from `member`.
 */
int doc_hex_joined(const struct doc_in *, const char *member, const char *rest,
    enum doc_need, unsigned char **, size_t *len, size_t *primary,
    struct hp_err *);

/*
 * Reads an optional number. The number must be at least 0, or above 0 if
 * `above` is set. Returns the same values as the functions above.
 */
int doc_amount(const struct doc_in *, const char *member, bool above,
    double *out, struct hp_err *);

#endif
