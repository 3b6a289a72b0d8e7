#include <string.h>

#include "doc/flat.h"

struct reader {
	const char *at, *end;
};

static bool
take(struct reader *r, char c)
{
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/* Reads a string of printable ASCII characters without escapes. */
static bool
take_text(struct reader *r, const char **text, size_t *len)
{
	if (!take(r, '"'))
		return false;
	*text = r->at;
	while (r->at < r->end && *r->at >= ' ' && *r->at <= '~' &&
	    *r->at != '"' && *r->at != '\\')
		r->at++;
	*len = (size_t)(r->at - *text);
	return take(r, '"');
}

static bool
take_count(struct reader *r, uint64_t *count)
{
	const char *start = r->at;

	*count = 0;
	while (r->at < r->end && *r->at >= '0' && *r->at <= '9' &&
	    r->at - start < FLAT_DIGITS)
		*count = *count * 10 + (uint64_t)(*r->at++ - '0');
	/* JSON numbers have no leading zeros. */
	return r->at > start && (*start != '0' || r->at == start + 1);
}

static size_t
find(const struct flat *f, size_t inside, const char *name, size_t len)
{
	for (size_t i = f->n; i > 0; i--) {
		const struct flat_member *m = &f->member[i];

		if (m->inside == inside && m->name_len == len &&
		    memcmp(m->name, name, len) == 0)
			return i;
	}
	return 0;
}

static bool take_object(struct reader *, struct flat *, size_t place);

static bool
take_value(struct reader *r, struct flat *f, size_t place)
{
	struct flat_member *m = &f->member[place];

	if (r->at < r->end && *r->at == '"') {
		m->kind = FLAT_TEXT;
		return take_text(r, &m->text, &m->text_len);
	}
	if (r->at < r->end && *r->at == '{') {
		m->kind = FLAT_OBJECT;
		/*
		 * The lines that hptools write nest objects at most one level
		 * deep. This limit also bounds the recursion.
		 */
		return m->inside == 0 && take_object(r, f, place);
	}
	m->kind = FLAT_COUNT;
	return take_count(r, &m->count);
}

static bool
take_member(struct reader *r, struct flat *f, size_t inside)
{
	struct flat_member m = { .inside = inside };

	/*
	 * Fail if a name occurs twice. Then jansson parses the line again and
	 * reports the repeated name.
	 */
	if (f->n == FLAT_MEMBERS || !take_text(r, &m.name, &m.name_len) ||
	    !take(r, ':') || find(f, inside, m.name, m.name_len) != 0)
		return false;
	f->member[++f->n] = m;
	return take_value(r, f, f->n);
}

static bool
take_object(struct reader *r, struct flat *f, size_t place)
{
	if (!take(r, '{'))
		return false;
	do
		if (!take_member(r, f, place))
			return false;
	while (take(r, ','));
	return take(r, '}');
}

bool
flat_read(struct flat *f, const char *line, size_t len)
{
	struct reader r = { line, line + len };

	f->n = 0;
	if (len > 0 && line[len - 1] == '\n')
		r.end--;
	return take_object(&r, f, 0) && r.at == r.end;
}

size_t
flat_find(const struct flat *f, size_t inside, const char *name)
{
	return find(f, inside, name, strlen(name));
}
