#include <stdlib.h>
#include <string.h>

#include "record/key.h"
#include "record/keybuf.h"
#include "split/classify.h"

int
classify_init(struct classifier *c, const struct sublists *l,
    const struct order *o, uint64_t rank, struct hp_err *e)
{
	const struct sublist *s = l->v;

	*c = (struct classifier){
		.order = o, .bound = s, .rank = rank, .together = o->unique
	};
	for (size_t i = 0; i < l->n; i++) {
		if (s[i].bounded && i > 0 &&
		    (!s[i - 1].bounded ||
			pivot_cmp(&s[i - 1].until, &s[i].until) > 0))
			return hp_fail(e, HP_INPUT,
			    "sublist %zu ends before the previous one", i);
		c->n += s[i].bounded;
	}
	if (l->n == 0 || s[l->n - 1].bounded)
		return hp_fail(
		    e, HP_INPUT, "the last sublist must have no until");
	c->prefix = reallocarray(NULL, c->n + 1, sizeof *c->prefix);
	if (c->prefix == NULL)
		return hp_fail(e, HP_NOMEM, "%zu sublists", l->n);
	for (size_t i = 0; i < c->n; i++)
		c->prefix[i] = key_prefix(s[i].until.key, s[i].until.len);
	return 0;
}

void
classify_fini(struct classifier *c)
{
	free(c->prefix);
	keybuf_fini(&c->buf);
	*c = (struct classifier){ 0 };
}

bool
classify_before(const struct classifier *c, const struct key *key,
    uint64_t index, const struct pivot *until)
{
	int cmp = key_cmp(key->bytes, key->len, until->key, until->len);

	if (cmp != 0 || c->together)
		return cmp < 0;
	return c->rank < until->rank ||
	    (c->rank == until->rank && index < until->index);
}

/*
 * Counts, for each of `many` values of x, how many of n > 0 ascending numbers
 * are less than it. The loop uses masks instead of an `if`: compilers make a
 * branch of an `if`, and half of these branches would be mispredicted. The
 * searches take each step together, so that the processor can overlap their
 * loads: Sanders and Winkel 2004, section 2.
 */
static void
count_below(
    const uint64_t *v, size_t n, const uint64_t *x, size_t many, size_t *below)
{
	memset(below, 0, many * sizeof *below);
	for (size_t half; n > 1; n -= half) {
		half = n / 2;
		for (size_t i = 0; i < many; i++)
			below[i] += half &
			    -(size_t)(v[below[i] + half - 1] < x[i]);
	}
	for (size_t i = 0; i < many; i++)
		below[i] += v[below[i]] < x[i];
}

/*
 * Returns the first bound that sorts after the record. The caller has compared
 * only prefixes (first bytes of the keys). Bound i is the first bound with the
 * record's prefix, but more may follow, so this function compares whole keys.
 * Returns the number after them if none of them sorts after the record.
 */
static size_t
among_equals(const struct classifier *c, const struct key *key, uint64_t index,
    uint64_t prefix, size_t i)
{
	size_t end = i, middle;

	while (end < c->n && c->prefix[end] == prefix)
		end++;
	while (i < end) {
		middle = i + (end - i) / 2;
		if (classify_before(c, key, index, &c->bound[middle].until))
			end = middle;
		else
			i = middle + 1;
	}
	return i;
}

/* Finds a record's sublist among those whose bounds have its prefix. */
static int
find_exactly(
    struct classifier *c, struct span record, uint64_t index, size_t *to)
{
	struct key key;

	if (order_key(c->order, record.at, record.len, &c->buf, &key) == -1)
		return -1;
	*to = among_equals(c, &key, index, key_prefix(key.bytes, key.len), *to);
	return 0;
}

int
classify(struct classifier *c, const struct span *record, const uint64_t *index,
    size_t n, size_t *to)
{
	uint64_t prefix[CLASSIFY_MOST];
	struct key key;

	if (c->n == 0) {
		memset(to, 0, n * sizeof *to);
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (order_key(c->order, record[i].at, record[i].len, &c->buf,
			&key) == -1)
			return -1;
		prefix[i] = key_prefix(key.bytes, key.len);
	}
	count_below(c->prefix, c->n, prefix, n, to);
	for (size_t i = 0; i < n; i++)
		if (to[i] < c->n && c->prefix[to[i]] == prefix[i] &&
		    find_exactly(c, record[i], index[i], &to[i]) == -1)
			return -1;
	return 0;
}
