/*
 * Finds where each sublist ends in the sorted records of a node, by binary
 * search over byte offsets. A search over line numbers would have to count all
 * lines first. For the same reason, byte offsets order the records of a node
 * that have equal keys.
 */
#include <inttypes.h>

#include "record/key.h"
#include "record/keybuf.h"
#include "split/sorted.h"

/* A record that the search has read: its offset and a copy of its key. */
struct mark {
	uint64_t at;
	struct keybuf key;
	bool known; /* false: no such record has been read */
};

/*
 * Of the records that have been read: the last one before a range, and the
 * first one behind it.
 */
struct marks {
	struct mark before, behind;
};

struct search {
	const struct records *r;
	struct classifier *by;
	struct records_view view;
};

static int
no_memory(const struct records *r, struct hp_err *e)
{
	return hp_fail(e, HP_NOMEM, "%s", r->name);
}

static int
mark_set(const struct search *s, struct mark *m, uint64_t at,
    const unsigned char *key, size_t len, struct hp_err *e)
{
	m->at = at;
	m->known = true;
	m->key.len = 0;
	return keybuf_put(&m->key, key, len) == -1 ? no_memory(s->r, e) : 0;
}

static int
mark_copy(const struct search *s, struct mark *to, const struct mark *from,
    struct hp_err *e)
{
	return from->known
	    ? mark_set(s, to, from->at, from->key.bytes, from->key.len, e)
	    : 0;
}

static int
not_sorted(const struct records *r, uint64_t at, struct hp_err *e)
{
	return hp_fail(e, HP_INPUT,
	    "%s: record %" PRIu64 " sorts before an earlier record: not sorted",
	    r->name, r->header + records_index(r, at) + 1);
}

/*
 * Checks that a record is in order with the nearest records that have been
 * read. So all records that the search reads are in order.
 */
static int
see_order(const struct search *s, const struct marks *m, uint64_t at,
    const struct key *key, struct hp_err *e)
{
	const struct keybuf *before = &m->before.key, *behind = &m->behind.key;

	if (m->before.known &&
	    key_cmp(before->bytes, before->len, key->bytes, key->len) > 0)
		return not_sorted(s->r, at, e);
	if (m->behind.known &&
	    key_cmp(key->bytes, key->len, behind->bytes, behind->len) > 0)
		return not_sorted(s->r, m->behind.at, e);
	return 0;
}

static int
key_at(struct search *s, uint64_t at, struct key *key, uint64_t *next,
    struct hp_err *e)
{
	struct span record;

	if (records_get(s->r, &s->view, at, &record, next, e) == -1)
		return -1;
	if (order_key(s->by->order, record.at, record.len, &s->by->buf, key) ==
	    -1)
		return no_memory(s->r, e);
	return 0;
}

/*
 * Finds the first record between the offsets low and high that does not sort
 * before the bound. The marks become those of the place that was found.
 */
static int
find(struct search *s, uint64_t low, uint64_t high, const struct pivot *until,
    struct marks *marks, uint64_t *found, struct hp_err *e)
{
	struct mark *mark;
	uint64_t at, next;
	struct pivot bound = *until;
	struct key key;

	if (bound.rank == s->by->rank)
		bound.index = records_offset(
		    s->r, bound.index < s->r->n ? bound.index : s->r->n);
	while (low < high) {
		at = records_begin(s->r, low + (high - low) / 2);
		if (key_at(s, at, &key, &next, e) == -1 ||
		    see_order(s, marks, at, &key, e) == -1)
			return -1;
		if (classify_before(s->by, &key, at, &bound)) {
			low = next;
			mark = &marks->before;
		} else {
			high = at;
			mark = &marks->behind;
		}
		if (mark_set(s, mark, at, key.bytes, key.len, e) == -1)
			return -1;
	}
	*found = low;
	return 0;
}

static int find_all(struct search *, size_t i, size_t n, uint64_t low,
    uint64_t high, const struct mark *before, const struct mark *behind,
    uint64_t *end, struct hp_err *);

/*
 * Finds the middle one of n > 0 bounds. The other bounds must lie before or
 * behind it, so their search is shorter.
 */
static int
find_middle(struct search *s, size_t i, size_t n, uint64_t low, uint64_t high,
    const struct mark *before, const struct mark *behind, uint64_t *end,
    struct hp_err *e)
{
	const struct pivot *until = &s->by->bound[i + n / 2].until;
	uint64_t *middle = &end[i + n / 2];
	struct marks m = { 0 };
	int rc = -1;

	if (mark_copy(s, &m.before, before, e) == 0 &&
	    mark_copy(s, &m.behind, behind, e) == 0 &&
	    find(s, low, high, until, &m, middle, e) == 0 &&
	    find_all(s, i, n / 2, low, *middle, before, &m.behind, end, e) == 0)
		rc = find_all(s, i + n / 2 + 1, n - n / 2 - 1, *middle, high,
		    &m.before, behind, end, e);
	keybuf_fini(&m.before.key);
	keybuf_fini(&m.behind.key);
	return rc;
}

/*
 * Finds the n bounds from number i on between the offsets low and high. Reads
 * O(n log(records/n)) records.
 */
static int
find_all(struct search *s, size_t i, size_t n, uint64_t low, uint64_t high,
    const struct mark *before, const struct mark *behind, uint64_t *end,
    struct hp_err *e)
{
	return n == 0 ? 0
		      : find_middle(s, i, n, low, high, before, behind, end, e);
}

int
cut_sorted(const struct records *r, struct classifier *by, size_t n,
    uint64_t *end, struct hp_err *e)
{
	struct search s = { .r = r, .by = by };
	const struct mark none = { 0 };
	int rc;

	records_expect(r, 8 * (by->n + 1));
	rc = find_all(&s, 0, by->n, 0, r->bytes, &none, &none, end, e);
	for (size_t i = by->n; i < n; i++)
		end[i] = r->bytes;
	return rc;
}
