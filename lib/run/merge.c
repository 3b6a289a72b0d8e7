#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "record/keybuf.h"
#include "run/await.h"
#include "run/fill.h"
#include "run/merge.h"

void
merged_add(struct merged *a, const struct merged *b)
{
	a->records += b->records;
	a->bytes += b->bytes;
	a->repeats += b->repeats;
	a->repeated += b->repeated;
	sum_add(&a->checksum, &b->checksum);
}

void
merge_out_fini(struct merge_out *k)
{
	outbuf_fini(&k->out);
	keybuf_fini(&k->last);
}

/*
 * An entry of the loser tree: a source, and the key prefix of its current
 * record. The prefix is UINT64_MAX if the source has ended.
 */
struct player {
	uint64_t prefix;
	size_t i;
};

struct merger {
	const struct view *view;
	struct source *source;
	size_t n;
	struct player *tree; /* [0] the winner, [1..n-1] the losers */
	struct merge_out *sink;
};

/*
 * Compares the current records of sources i and j. Their prefixes (the first
 * bytes of the keys) are equal. Returns whether the record of source i comes
 * first.
 */
static bool
beats(const struct merger *m, size_t i, size_t j)
{
	const struct source *a = &m->source[i], *b = &m->source[j];
	int c;

	if (a->done || b->done)
		return a->done == b->done ? i < j : b->done;
	c = item_compare(m->view, &a->item, &b->item);
	return c == 0 ? i < j : c < 0;
}

static struct player
player(const struct merger *m, size_t i)
{
	const struct source *s = &m->source[i];

	return (struct player){ s->done ? UINT64_MAX : s->item.prefix, i };
}

/*
 * Plays one match of the loser tree: the smaller entry goes to *winner, the
 * larger one to *loser. The result is unpredictable, so the code uses
 * conditional moves instead of a branch. The next match needs only the prefix
 * of the smaller entry.
 */
static inline void
match(const struct merger *m, struct player *winner, struct player *loser)
{
	uint64_t a = winner->prefix, b = loser->prefix, i;
	uint64_t swap = -(uint64_t)(b < a);

	if (__builtin_expect(a == b, 0))
		swap = -(uint64_t)beats(m, loser->i, winner->i);
	winner->prefix = b < a ? b : a;
	loser->prefix = b < a ? a : b;
	i = (winner->i ^ loser->i) & swap;
	winner->i ^= i;
	loser->i ^= i;
}

/* Plays all matches below a node of the loser tree and returns their winner. */
static struct player
play(struct merger *m, size_t node)
{
	struct player winner, loser;

	if (node >= m->n)
		return player(m, node - m->n);
	winner = play(m, 2 * node);
	loser = play(m, 2 * node + 1);
	match(m, &winner, &loser);
	m->tree[node] = loser;
	return winner;
}

/*
 * Advances source i to its next record. Waits for data if necessary. Returns
 * MERGE_FULL if the record does not fit into memory.
 */
static int
advance(struct merger *m, size_t i, struct hp_err *e)
{
	struct source *s = &m->source[i];
	int rc;

	while ((rc = source_next(s, e)) == SOURCE_EMPTY) {
		/*
		 * Waiting for input may take long, so first write the records
		 * that are merged already.
		 */
		if (s->feed != NULL && !feed_is_ready(s->feed) &&
		    (outbuf_flush(&m->sink->out, e) == -1 ||
			feeds_await(s->feed, e) == -1))
			return -1;
		if ((rc = source_fill(s, e)) != 0)
			return rc == SOURCE_FULL ? MERGE_FULL : -1;
	}
	if (rc == SOURCE_DISORDER)
		return hp_fail(e, HP_INPUT,
		    "%s: record %" PRIu64 " is out of order: not sorted",
		    s->name, s->nrec);
	return rc;
}

/*
 * For -u: returns 1 if the record has the key of the last record that was
 * written. Otherwise stores the record's key for the next call and returns 0.
 */
static int
is_repeated(struct merger *m, const struct item *item, struct hp_err *e)
{
	struct span s = item_primary(m->view, item);
	struct room *room = m->source->room;
	struct merge_out *k = m->sink;
	unsigned char *grown;

	if (k->any &&
	    item_repeats(m->view, item,
		(struct span){ k->last.bytes, k->last.len }, k->cut))
		return 1;
	if (k->last.cap < s.len + 1) {
		grown = space_grow(k->last.bytes, k->last.cap, s.len + 1);
		if (grown == NULL)
			return hp_fail_errno(e, HP_NOMEM, "merge");
		if (room != NULL)
			room->left -= (int64_t)(s.len + 1 - k->last.cap);
		k->last.bytes = grown;
		k->last.cap = s.len + 1;
	}
	memcpy(k->last.bytes, s.at, s.len);
	k->last.len = s.len;
	k->cut = item_is_cut(m->view, item);
	k->any = true;
	return 0;
}

static inline void
count(struct merged *c, size_t bytes, bool repeat)
{
	c->records++;
	c->bytes += bytes;
	if (repeat) {
		c->repeats++;
		c->repeated += bytes;
	}
}

static int
put(struct merger *m, const struct item *item, struct hp_err *e)
{
	const struct order *o = m->view->order;
	size_t delim = scan_delim(&o->format);
	int rc = o->unique ? is_repeated(m, item, e) : 0;

	count(&m->sink->count, item->record.len + delim, rc == 1);
	if (rc == 1 && o->sum_dropped)
		scan_sum(&o->format, item->record, &m->sink->count.checksum);
	if (rc == 0)
		rc = outbuf_put(&m->sink->out, item->record,
		    delim > 0 ? o->format.delim : -1, e);
	return rc == -1 ? -1 : 0;
}

/*
 * Makes the first unwritten record of each source its current record. Builds
 * the loser tree from these records.
 */
static int
begin(struct merger *m, struct hp_err *e)
{
	struct source *s;
	int rc;

	for (size_t i = 0; i < m->n; i++) {
		s = &m->source[i];
		if (s->item.record.at == NULL && (rc = advance(m, i, e)) != 0)
			return rc;
		if (s->put && (rc = advance(m, i, e)) != 0)
			return rc;
		s->put = false;
	}
	m->tree[0] = play(m, 1);
	return 0;
}

static int
run(struct merger *m, struct hp_err *e)
{
	const struct shape k = source_shape(m->view);
	struct source *const source = m->source, *s;
	struct player *const tree = m->tree, winner;
	size_t n = m->n;
	int rc = begin(m, e);

	while (rc == 0) {
		winner = tree[0];
		s = &source[winner.i];
		if (winner.prefix == UINT64_MAX && s->done)
			return outbuf_flush(&m->sink->out, e);
		if (put(m, &s->item, e) == -1)
			return -1;
		if (k.quick && source_step(s, &k))
			winner.prefix = s->item.prefix;
		else if ((rc = advance(m, winner.i, e)) == 0)
			winner = player(m, winner.i);
		else {
			s->put = true;
			break;
		}
		for (size_t node = (winner.i + n) / 2; node > 0; node /= 2)
			match(m, &winner, &tree[node]);
		tree[0] = winner;
	}
	return rc;
}

/*
 * If `on` is set, tells each feed (an input that cannot seek, such as a pipe)
 * which source reads it. While the merge waits for one feed, feeds_await can
 * then read the other feeds into the buffers of their sources. Otherwise
 * removes this link.
 */
static void
set_readers(struct merger *m, bool on)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->source[i].feed != NULL)
			m->source[i].feed->reader = on ? &m->source[i] : NULL;
}

int
merge(const struct view *v, struct source *s, size_t n, struct merge_out *k,
    struct hp_err *e)
{
	struct merger m = { .view = v, .source = s, .n = n, .sink = k };
	int rc = -1;

	if (n == 0)
		return 0;
	set_readers(&m, true);
	m.tree = calloc(n, sizeof *m.tree);
	if (m.tree == NULL)
		hp_fail_errno(e, HP_NOMEM, "merge of %zu runs", n);
	else
		rc = run(&m, e);
	set_readers(&m, false);
	free(m.tree);
	return rc;
}
