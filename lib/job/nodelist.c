#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "job/nodelist.h"

#define LETTERS \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"
#define DIGITS "0123456789"

enum {
	/*
	 * maximum digits of a number, so that each number fits an unsigned long
	 */
	DIGITS_MOST = 9
};

struct range {
	unsigned long first, last;
	int digits; /* fewest digits of a name's number */
};

static int
malformed(const char *text, struct hp_err *e)
{
	return hp_fail(e, HP_INPUT, "'%.64s' is not a list of nodes", text);
}

static int
add_name(struct nodelist *l, const char *name, size_t len, struct hp_err *e)
{
	if (len == 0 || name[0] == '-')
		return malformed(name, e);
	if (l->n == NODELIST_MOST)
		return hp_fail(
		    e, HP_INPUT, "there are more than %d nodes", NODELIST_MOST);
	if (ARRAY_ROOM(l->name, l->n, l->cap) == -1)
		return hp_fail(e, HP_NOMEM, "out of memory");
	l->name[l->n] = strndup(name, len);
	if (l->name[l->n] == NULL)
		return hp_fail(e, HP_NOMEM, "out of memory");
	l->n++;
	return 0;
}

/*
 * Parses a number or a range, such as `7` or `08-11`. Returns the text behind
 * the parsed part, or NULL if the text is malformed.
 */
static const char *
parse_range(const char *s, struct range *r)
{
	size_t n = strspn(s, DIGITS);

	if (n == 0 || n > DIGITS_MOST)
		return NULL;
	r->first = r->last = strtoul(s, NULL, 10);
	r->digits = (int)n;
	s += n;
	if (*s != '-')
		return s;
	n = strspn(++s, DIGITS);
	if (n == 0 || n > DIGITS_MOST)
		return NULL;
	r->last = strtoul(s, NULL, 10);
	return r->first <= r->last ? s + n : NULL;
}

/*
 * Returns the end of the name that begins at s: the first comma outside
 * brackets, or the end of the text.
 */
static const char *
end_of(const char *s)
{
	while (*s != '\0' && *s != ',')
		s += *s == '[' ? strcspn(s, "]") : 1;
	return s;
}

static int expand(struct nodelist *, const char *name, size_t len,
    const char *s, const char *end, struct hp_err *);

/*
 * Expands brackets that begin at s. Each number in the brackets is appended to
 * the first `len` bytes of `name`. Then the text behind the brackets is
 * expanded.
 */
static int
expand_brackets(struct nodelist *l, const char *name, size_t len, const char *s,
    const char *end, struct hp_err *e)
{
	const char *close = memchr(s, ']', (size_t)(end - s)), *whole = s;
	char longer[NODELIST_NAME + 1];
	struct range r;
	int n;

	if (close == NULL)
		return malformed(whole, e);
	memcpy(longer, name, len);
	do {
		s = parse_range(s + 1, &r);
		if (s == NULL || (*s != ',' && *s != ']'))
			return malformed(whole, e);
		for (unsigned long i = r.first; i <= r.last; i++) {
			n = snprintf(longer + len, sizeof longer - len, "%0*lu",
			    r.digits, i);
			if (n < 0 || (size_t)n >= sizeof longer - len)
				return malformed(whole, e);
			if (expand(l, longer, len + (size_t)n, close + 1, end,
				e) == -1)
				return -1;
		}
	} while (*s == ',');
	return 0;
}

/*
 * Expands the text from s to `end`, and adds the resulting names to the list.
 * Each name begins with the first `len` bytes of `name`.
 */
static int
expand(struct nodelist *l, const char *name, size_t len, const char *s,
    const char *end, struct hp_err *e)
{
	char longer[NODELIST_NAME + 1];
	size_t n = strspn(s, LETTERS);

	if (len + n > NODELIST_NAME)
		return malformed(s, e);
	memcpy(longer, name, len);
	memcpy(longer + len, s, n);
	longer[len + n] = '\0';
	s += n;
	if (s == end)
		return add_name(l, longer, len + n, e);
	if (*s != '[')
		return malformed(s, e);
	return expand_brackets(l, longer, len + n, s, end, e);
}

int
nodelist_add(struct nodelist *l, const char *text, struct hp_err *e)
{
	const char *end;

	for (const char *s = text;; s = end + 1) {
		end = end_of(s);
		if (expand(l, "", 0, s, end, e) == -1)
			return -1;
		if (*end == '\0')
			return 0;
	}
}

void
nodelist_fini(struct nodelist *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
	*l = (struct nodelist){ 0 };
}
