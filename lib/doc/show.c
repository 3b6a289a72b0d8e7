#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "doc/lines.h"
#include "doc/show.h"
#include "doc/values.h"
#include "record/decode.h"
#include "record/keybuf.h"

struct show {
	const struct order *order;
	struct keybuf text; /* the current key as text */
};

/*
 * Names of three members that belong together: the key, the rest of the key or
 * NULL, and the readable text of the key.
 */
struct names {
	const char *key, *rest, *text;
};

/*
 * Decodes the sort key `key`, and stores its readable text in the member
 * `member` of the JSON object. Only removes this member if the order of the
 * records makes no such key.
 */
static int
set_text(struct show *s, const struct doc_in *at, const char *member,
    const unsigned char *key, size_t len, struct hp_err *e)
{
	size_t size;
	char *out;
	int got, bad;

	s->text.len = 0;
	got = order_decode(s->order, key, len, &s->text);
	json_object_del(at->object, member);
	if (got == 0)
		return 0;
	size = PRINTABLE(s->text.len);
	out = got == -1 ? NULL : malloc(size);
	if (out == NULL)
		return hp_fail(e, HP_NOMEM, "%s", at->name);
	bad = json_object_set_new(at->object, member,
	    json_string(printable(
		(const char *)s->text.bytes, s->text.len, out, size)));
	free(out);
	return bad == -1 ? hp_fail(e, HP_NOMEM, "%s", at->name) : 0;
}

static int
show_key(struct show *s, const struct doc_in *at, const struct names *names,
    struct hp_err *e)
{
	unsigned char *key = NULL;
	size_t len;
	int got = doc_hex_joined(
	    at, names->key, names->rest, DOC_OPTIONAL, &key, &len, NULL, e);

	if (got == 1)
		got = set_text(s, at, names->text, key, len, e);
	free(key);
	return got;
}

/* Adds the readable texts of the first and the last key of a summary. */
static int
show_summary(struct show *s, const struct doc_in *d, struct hp_err *e)
{
	static const struct names end[] = { { "first", "first_rest",
						"first_text" },
		{ "last", "last_rest", "last_text" } };

	return show_key(s, d, &end[0], e) == -1 ||
		show_key(s, d, &end[1], e) == -1
	    ? -1
	    : 0;
}

/*
 * Adds a readable copy `text` of the line's key, if it has one. Does the same
 * in each inner object (until, low, high) that has a key.
 */
static int
show_line(struct show *s, const struct doc_in *d, struct hp_err *e)
{
	static const struct names names = { "key", NULL, "text" };
	static const char *const place[] = { "until", "low", "high" };
	static const char *const type[] = { "candidate", "sublist", "count",
		"extent" };
	struct doc_in in;
	size_t i = 0;
	int got;

	if (strcmp(d->type, "summary") == 0)
		return show_summary(s, d, e);
	while (i < 4 && strcmp(d->type, type[i]) != 0)
		i++;
	if (i == 4)
		return doc_unexpected(
		    d, "a candidate, a sublist or a summary", e);
	if (show_key(s, d, &names, e) == -1)
		return -1;
	for (i = 0; i < 3; i++) {
		if ((got = doc_inner(d, place[i], &in, e)) == -1 ||
		    (got == 1 && show_key(s, &in, &names, e) == -1))
			return -1;
	}
	return 0;
}

int
doc_show(FILE *out, const char *path, const struct order *o, struct hp_err *e)
{
	struct show s = { .order = o };
	struct doc_in d;
	int got;

	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((got = doc_next(&d, e)) == 1)
		if ((got = show_line(&s, &d, e)) == -1 ||
		    (got = doc_put(out, json_incref(d.object), e)) == -1)
			break;
	keybuf_fini(&s.text);
	doc_close(&d);
	return got;
}
