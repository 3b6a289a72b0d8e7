/* Reads members of the object that doc_next found. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "doc/values.h"

/* The value of a member, in one of two forms. */
struct value {
	const struct flat_member *flat; /* NULL: use json */
	const json_t *json;
};

/* Finds a member. Returns 1 and sets *value, 0 if it is absent, -1 if it is
 * absent but required. */
static int
find(const struct doc_in *d, const char *member, enum doc_need need,
    struct value *value, struct hp_err *e)
{
	size_t place;

	*value = (struct value){ 0 };
	if (d->object == NULL) {
		place = flat_find(&d->flat, d->inside, member);
		if (place != 0)
			value->flat = &d->flat.member[place];
	} else
		value->json = json_object_get(d->object, member);
	if (value->flat != NULL ||
	    (value->json != NULL && !json_is_null(value->json)))
		return 1;
	if (need == DOC_OPTIONAL)
		return 0;
	return doc_fail(d, e, "the %.64s has no '%s'", d->type, member);
}

/* Returns the string; NULL if the value is not a string. */
static const char *
text_of(const struct value *v, size_t *len)
{
	if (v->flat != NULL) {
		*len = v->flat->text_len;
		return v->flat->kind == FLAT_TEXT ? v->flat->text : NULL;
	}
	*len = json_string_length(v->json);
	return json_string_value(v->json);
}

bool
doc_has(const struct doc_in *d, const char *member)
{
	return d->object == NULL ? flat_find(&d->flat, d->inside, member) != 0
				 : json_object_get(d->object, member) != NULL;
}

int
doc_inner(const struct doc_in *d, const char *member, struct doc_in *in,
    struct hp_err *e)
{
	struct value v;
	int got = find(d, member, DOC_OPTIONAL, &v, e);

	*in = *d;
	in->type = member;
	if (got != 1)
		return got;
	if (v.flat != NULL ? v.flat->kind != FLAT_OBJECT
			   : !json_is_object(v.json))
		return doc_fail(d, e, "'%s' must be an object", member);
	if (v.flat != NULL)
		in->inside = (size_t)(v.flat - d->flat.member);
	else
		in->object = json_object_get(d->object, member);
	return 1;
}

bool
doc_is_count(const json_t *v, uint64_t *out)
{
	double x = json_number_value(v);

	/*
	 * A larger integer must be rejected here: as a double, 2^53 + 1 rounds
	 * to the allowed 2^53.
	 */
	if (json_is_integer(v) &&
	    json_integer_value(v) > (json_int_t)COUNT_MOST)
		return false;
	/*
	 * Accept an integer in the form 1e6 or 5.0, which other languages may
	 * write.
	 */
	if (!json_is_number(v) || x < 0 || x > (double)COUNT_MOST ||
	    x != floor(x))
		return false;
	*out = (uint64_t)x;
	return true;
}

int
doc_u64(const struct doc_in *d, const char *member, enum doc_need need,
    uint64_t *out, struct hp_err *e)
{
	struct value v;
	int rc = find(d, member, need, &v, e);

	if (rc == 1 && v.flat != NULL && v.flat->kind == FLAT_COUNT)
		*out = v.flat->count;
	else if (rc == 1 && (v.flat != NULL || !doc_is_count(v.json, out)))
		return doc_fail(
		    d, e, "'%s' must be an integer from 0 to 2^53", member);
	return rc;
}

int
doc_number(const struct doc_in *d, const char *member, enum doc_need need,
    double *out, struct hp_err *e)
{
	struct value v;
	int rc = find(d, member, need, &v, e);
	double x;

	if (rc != 1)
		return rc;
	x = v.flat != NULL ? (double)v.flat->count : json_number_value(v.json);
	if ((v.flat != NULL ? v.flat->kind != FLAT_COUNT
			    : !json_is_number(v.json)) ||
	    !isfinite(x))
		return doc_fail(d, e, "'%s' must be a number", member);
	*out = x;
	return 1;
}

int
doc_bool(const struct doc_in *d, const char *member, enum doc_need need,
    bool *out, struct hp_err *e)
{
	struct value v;
	int rc = find(d, member, need, &v, e);

	if (rc != 1)
		return rc;
	if (v.flat != NULL || !json_is_boolean(v.json))
		return doc_fail(d, e, "'%s' must be true or false", member);
	*out = json_is_true(v.json);
	return 1;
}

int
doc_string(const struct doc_in *d, const char *member, enum doc_need need,
    char **out, struct hp_err *e)
{
	struct value v;
	int rc = find(d, member, need, &v, e);
	const char *text;
	size_t len;

	if (rc != 1)
		return rc;
	if ((text = text_of(&v, &len)) == NULL)
		return doc_fail(d, e, "'%s' must be a string", member);
	if ((*out = strndup(text, len)) == NULL)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	return 1;
}

static int
nibble(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

int
doc_hex(const struct doc_in *d, const char *member, enum doc_need need,
    unsigned char **out, size_t *len, struct hp_err *e)
{
	const char *hex;
	unsigned char *bytes;
	size_t n;
	struct value v;
	int rc = find(d, member, need, &v, e);

	if (rc != 1)
		return rc;
	hex = text_of(&v, &n);
	if (hex == NULL || n % 2 != 0)
		return doc_fail(d, e, "'%s' must be bytes in hex", member);
	if ((bytes = malloc(n / 2 + 1)) == NULL)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	for (size_t i = 0; i < n; i += 2) {
		if (nibble(hex[i]) == -1 || nibble(hex[i + 1]) == -1) {
			free(bytes);
			return doc_fail(d, e,
			    "'%s' must be bytes in lower-case hex", member);
		}
		bytes[i / 2] = (unsigned char)(nibble(hex[i]) << 4 |
		    nibble(hex[i + 1]));
	}
	*out = bytes;
	*len = n / 2;
	return 1;
}

int
doc_hex_joined(const struct doc_in *d, const char *member, const char *rest,
    enum doc_need need, unsigned char **out, size_t *len, size_t *primary,
    struct hp_err *e)
{
	unsigned char *bytes = NULL, *more = NULL, *both;
	size_t n = 0, more_len = 0;
	int rc = doc_hex(d, member, need, &bytes, &n, e);

	if (rc != 1)
		return rc;
	if (rest != NULL &&
	    doc_hex(d, rest, DOC_OPTIONAL, &more, &more_len, e) == -1) {
		free(bytes);
		return -1;
	}
	if ((both = realloc(bytes, n + more_len + 1)) == NULL) {
		free(bytes);
		rc = hp_fail(e, HP_NOMEM, "%s", d->name);
	} else {
		if (more_len > 0)
			memcpy(both + n, more, more_len);
		*out = both;
		*len = n + more_len;
		if (primary != NULL)
			*primary = n;
	}
	free(more);
	return rc;
}

int
doc_amount(const struct doc_in *d, const char *member, bool above, double *out,
    struct hp_err *e)
{
	double x;
	int rc = doc_number(d, member, DOC_OPTIONAL, &x, e);

	if (rc != 1)
		return rc;
	if (x < 0 || (above && x == 0))
		return doc_fail(d, e, "'%s' must %s", member,
		    above ? "be above 0" : "not be negative");
	*out = x;
	return 1;
}
