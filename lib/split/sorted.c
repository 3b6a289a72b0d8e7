/*
 * Finds where each sublist ends in the sorted records of a node, by binary
 * search over byte offsets. A search over line numbers would have to count all
 * lines first. For the same reason, byte offsets order the records of a node
 * that have equal keys.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "record/key.h"
#include "record/keybuf.h"
#include "split/sorted.h"

/*
 * The offsets of all records that the search has read. see_order checks at the
 * end that these records are in order.
 */
struct probes {
	uint64_t *at;
	size_t n, cap;
};

struct search {
	const struct records *r;
	struct classifier *by;
	struct probes probes;
	struct keybuf before; /* previous record, while the order is checked */
};

static int
no_memory(const struct records *r, struct hp_err *e)
{
	return hp_fail(e, HP_NOMEM, "%s", r->name);
}

static int
remember(struct search *s, uint64_t at, struct hp_err *e)
{
	struct probes *p = &s->probes;
	if (ARRAY_ROOM(p->at, p->n, p->cap) == -1)
		return no_memory(s->r, e);
	p->at[p->n++] = at;
	return 0;
}

static int
key_at(const struct search *s, uint64_t at, struct keybuf *buf, struct key *key,
    uint64_t *next, struct hp_err *e)
{
	const unsigned char *record;
	uint64_t len = records_get(s->r, at, &record, next);

	if (order_key(s->by->order, record, len, buf, key) == -1)
		return no_memory(s->r, e);
	return 0;
}

/*
 * Finds the first record between the offsets low and high that does not sort
 * before the bound.
 */
static int
find(struct search *s, uint64_t low, uint64_t high, const struct pivot *until,
    uint64_t *found, struct hp_err *e)
{
	uint64_t at, next;
	struct pivot bound = *until;
	struct key key;

	if (bound.rank == s->by->rank)
		bound.index = records_offset(
		    s->r, bound.index < s->r->n ? bound.index : s->r->n);
	while (low < high) {
		at = records_begin(s->r, low + (high - low) / 2);
		if (key_at(s, at, &s->by->buf, &key, &next, e) == -1 ||
		    remember(s, at, e) == -1)
			return -1;
		if (classify_before(s->by, &key, at, &bound))
			low = next;
		else
			high = at;
	}
	*found = low;
	return 0;
}

/*
 * Finds the n bounds from number i on. First finds the middle bound. The other
 * bounds must lie before or after it, so their search is shorter. Reads O(n
 * log(records/n)) records.
 */
static int
find_all(struct search *s, size_t i, size_t n, uint64_t low, uint64_t high,
    uint64_t *end, struct hp_err *e)
{
	size_t middle = i + n / 2;

	if (n == 0)
		return 0;
	if (find(s, low, high, &s->by->bound[middle].until, &end[middle], e) ==
		-1 ||
	    find_all(s, i, n / 2, low, end[middle], end, e) == -1)
		return -1;
	return find_all(
	    s, middle + 1, n - n / 2 - 1, end[middle], high, end, e);
}

static int
by_place(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Checks that all records that the search has read are in order. */
static int
see_order(struct search *s, struct hp_err *e)
{
	struct keybuf *now = &s->by->buf, *before = &s->before, swap;
	struct key key, last = { 0 };
	uint64_t next;

	if (s->probes.n > 0)
		qsort(
		    s->probes.at, s->probes.n, sizeof *s->probes.at, by_place);
	for (size_t i = 0; i < s->probes.n; i++) {
		if (key_at(s, s->probes.at[i], now, &key, &next, e) == -1)
			return -1;
		if (i > 0 &&
		    key_cmp(last.bytes, last.len, key.bytes, key.len) > 0)
			return hp_fail(e, HP_INPUT,
			    "%s: record %" PRIu64
			    " sorts before an earlier record: not sorted",
			    s->r->name,
			    s->r->header +
				records_index(s->r, s->probes.at[i]) + 1);
		last = key;
		swap = *now;
		*now = *before;
		*before = swap;
	}
	return 0;
}

int
cut_sorted(const struct records *r, struct classifier *by, size_t n,
    uint64_t *end, struct hp_err *e)
{
	struct search s = { .r = r, .by = by };
	int rc;

	records_expect(r, 8 * (by->n + 1));
	rc = find_all(&s, 0, by->n, 0, r->bytes, end, e);
	for (size_t i = by->n; i < n; i++)
		end[i] = r->bytes;
	if (rc == 0)
		rc = see_order(&s, e);
	free(s.probes.at);
	keybuf_fini(&s.before);
	return rc;
}
