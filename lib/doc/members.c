#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doc/members.h"

static void *
field(void *base, size_t at)
{
	return (char *)base + at;
}

static const void *
field_const(const void *base, size_t at)
{
	return (const char *)base + at;
}

static int
bad(const struct member *m, const char *what, struct hp_err *e)
{
	return hp_fail(e, HP_INPUT, "'%s' %s", m->name, what);
}

/*
 * Decodes a JSON string to bytes. Fills e and returns NULL if the string is
 * invalid.
 */
static char *
decode(const struct member *m, const json_t *v, uint64_t least, uint64_t most,
    struct hp_err *e)
{
	const unsigned char *s;
	size_t len = json_string_length(v), n = 0;
	char *out;

	if (!json_is_string(v)) {
		bad(m, "must be a string", e);
		return NULL;
	}
	if ((out = malloc(len + 1)) == NULL) {
		hp_fail(e, HP_NOMEM, "message");
		return NULL;
	}
	s = (const unsigned char *)json_string_value(v);
	for (size_t i = 0; i < len; i++) {
		unsigned c = s[i];

		/*
		 * Only characters up to U+00FF are allowed. The UTF-8 encodings
		 * of U+0080 to U+00FF start with c2 or c3.
		 */
		if (c >= 0x80 && c != 0xc2 && c != 0xc3) {
			bad(m, "has a character above U+00FF", e);
			goto fail;
		}
		if (c >= 0x80)
			c = (c & 3) << 6 | (s[++i] & 0x3f);
		out[n++] = (char)c;
	}
	if (n < least || n > most) {
		bad(m, n < least ? "is too short" : "is too long", e);
		goto fail;
	}
	out[n] = '\0';
	return out;
fail:
	free(out);
	return NULL;
}

static json_t *
encode(const char *s)
{
	size_t len = strlen(s), n = 0;
	unsigned char *utf8;
	json_t *v;

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s[i] >= 0x80)
			break;
		else if (i + 1 == len)
			return json_stringn_nocheck(s, len);
	if ((utf8 = malloc(2 * len + 1)) == NULL)
		return NULL;
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= 0x80) {
			utf8[n++] = (unsigned char)(0xc0 | c >> 6);
			c = 0x80 | (c & 0x3f);
		}
		utf8[n++] = c;
	}
	v = json_stringn_nocheck((const char *)utf8, n);
	free(utf8);
	return v;
}

static int
count_of(
    const struct member *m, const json_t *v, uint64_t *out, struct hp_err *e)
{
	json_int_t i = json_integer_value(v);

	if (!json_is_integer(v))
		return bad(m, "must be an integer", e);
	if (i < 0 || (uint64_t)i < m->least || (uint64_t)i > m->most)
		return bad(m, "is out of range", e);
	*out = (uint64_t)i;
	return 0;
}

static int
real_of(const struct member *m, const json_t *v, double *out, struct hp_err *e)
{
	double x = json_number_value(v);

	if (!json_is_number(v))
		return bad(m, "must be a number", e);
	/* Written so that NaN fails. */
	if (!(x >= 0 && x <= (double)m->most) || x < (double)m->least)
		return bad(m, "is out of range", e);
	*out = x;
	return 0;
}

static int
words_of(const struct member *m, const json_t *v, char ***out, struct hp_err *e)
{
	size_t n = json_array_size(v);

	if (!json_is_array(v))
		return bad(m, "must be an array", e);
	if (n < m->least || n > m->most)
		return bad(m, "has too few or too many elements", e);
	if ((*out = calloc(n + 1, sizeof **out)) == NULL)
		return hp_fail(e, HP_NOMEM, "message");
	for (size_t i = 0; i < n; i++)
		if (((*out)[i] = decode(
			 m, json_array_get(v, i), 0, MEMBER_WORD, e)) == NULL)
			return -1;
	return 0;
}

static int
counts_of_array(
    const struct member *m, const json_t *v, void *out, struct hp_err *e)
{
	struct member one = { .name = m->name, .most = MEMBER_COUNT_MOST };
	size_t n = json_array_size(v);
	uint64_t *counts;

	if (!json_is_array(v))
		return bad(m, "must be an array", e);
	if (n > m->most)
		return bad(m, "has too many elements", e);
	if ((counts = calloc(n + 1, sizeof *counts)) == NULL)
		return hp_fail(e, HP_NOMEM, "message");
	*(uint64_t **)field(out, m->at) = counts;
	*(size_t *)field(out, m->at_n) = n;
	for (size_t i = 0; i < n; i++)
		if (count_of(&one, json_array_get(v, i), &counts[i], e) == -1)
			return -1;
	return 0;
}

static int
read_one(const struct member *m, const json_t *v, void *out, struct hp_err *e)
{
	char **text;

	switch (m->kind) {
	case MEMBER_COUNT:
		return count_of(m, v, field(out, m->at), e);
	case MEMBER_REAL:
		return real_of(m, v, field(out, m->at), e);
	case MEMBER_FLAG:
		if (!json_is_boolean(v))
			return bad(m, "must be true or false", e);
		*(bool *)field(out, m->at) = json_is_true(v);
		return 0;
	case MEMBER_TEXT:
		text = field(out, m->at);
		*text = decode(m, v, m->least, m->most, e);
		return *text == NULL ? -1 : 0;
	case MEMBER_WORDS:
		return words_of(m, v, field(out, m->at), e);
	case MEMBER_COUNTS:
		return counts_of_array(m, v, out, e);
	}
	return -1;
}

static int
absent(const struct member *m, void *out, struct hp_err *e)
{
	char **text;

	if (!m->optional)
		return hp_fail(e, HP_INPUT, "there is no '%s'", m->name);
	if (m->kind == MEMBER_COUNT)
		*(uint64_t *)field(out, m->at) = m->absent;
	if (m->kind != MEMBER_TEXT)
		return 0;
	text = field(out, m->at);
	if ((*text = strdup("")) == NULL)
		return hp_fail(e, HP_NOMEM, "message");
	return 0;
}

int
members_read(const json_t *object, const struct member *m, size_t n, void *out,
    struct hp_err *e)
{
	for (size_t i = 0; i < n; i++) {
		const json_t *v = json_object_get(object, m[i].name);

		if (v == NULL) {
			if (absent(&m[i], out, e) == -1)
				return -1;
			continue;
		}
		if (read_one(&m[i], v, out, e) == -1)
			return -1;
	}
	return 0;
}

int
members_known(json_t *object, const struct member *m, size_t n,
    const char *const *others, struct hp_err *e)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value)
	{
		const char *const *other = others;
		size_t i = 0;

		while (i < n && strcmp(m[i].name, name) != 0)
			i++;
		while (other != NULL && *other != NULL &&
		    strcmp(*other, name) != 0)
			other++;
		if (i == n && (other == NULL || *other == NULL))
			return hp_fail(e, HP_INPUT, "an unknown member");
	}
	return 0;
}

static json_t *
words_array(char *const *words)
{
	json_t *array = json_array();

	for (; array != NULL && words != NULL && *words != NULL; words++)
		if (json_array_append_new(array, encode(*words)) == -1) {
			json_decref(array);
			return NULL;
		}
	return array;
}

static json_t *
counts_array(const uint64_t *v, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; array != NULL && i < n; i++)
		if (json_array_append_new(
			array, json_integer((json_int_t)v[i])) == -1) {
			json_decref(array);
			return NULL;
		}
	return array;
}

/*
 * Returns the field as JSON, or NULL if memory is short. Sets *skip if the
 * field has its default value: such a field is not written.
 */
static json_t *
value_of(const struct member *m, const void *in, bool *skip)
{
	const void *p = field_const(in, m->at);
	const char *text;
	size_t n;

	switch (m->kind) {
	case MEMBER_COUNT:
		*skip = m->optional && *(const uint64_t *)p == m->absent;
		return *skip ? NULL
			     : json_integer((json_int_t) * (const uint64_t *)p);
	case MEMBER_REAL:
		return json_real(*(const double *)p);
	case MEMBER_FLAG:
		*skip = m->optional && !*(const bool *)p;
		return *skip ? NULL : json_boolean(*(const bool *)p);
	case MEMBER_TEXT:
		text = *(char *const *)p;
		*skip = m->optional && (text == NULL || text[0] == '\0');
		return *skip ? NULL : encode(text == NULL ? "" : text);
	case MEMBER_WORDS:
		*skip = m->optional && *(char **const *)p == NULL;
		return *skip ? NULL : words_array(*(char **const *)p);
	case MEMBER_COUNTS:
		n = *(const size_t *)field_const(in, m->at_n);
		*skip = m->optional && n == 0;
		return *skip ? NULL : counts_array(*(uint64_t *const *)p, n);
	}
	return NULL;
}

int
members_write(json_t *object, const struct member *m, size_t n, const void *in)
{
	for (size_t i = 0; i < n; i++) {
		bool skip = false;
		json_t *v = value_of(&m[i], in, &skip);

		if (!skip && json_object_set_new(object, m[i].name, v) == -1)
			return -1;
	}
	return 0;
}

void
members_fini(const struct member *m, size_t n, void *base)
{
	for (size_t i = 0; i < n; i++) {
		void *p = field(base, m[i].at);

		if (m[i].kind == MEMBER_TEXT) {
			free(*(char **)p);
		} else if (m[i].kind == MEMBER_COUNTS) {
			free(*(uint64_t **)p);
		} else if (m[i].kind == MEMBER_WORDS) {
			char **words = *(char ***)p;

			for (size_t k = 0; words != NULL && words[k] != NULL;
			     k++)
				free(words[k]);
			free(words);
		}
	}
}
