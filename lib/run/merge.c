#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run/await.h"
#include "run/merge.h"

enum {
	WORTH = 1 << 17 /* bytes in the L2 cache that are worth a write */
};

int
sink_init(struct sink *k, struct output *out, size_t cap, struct hp_err *e)
{
	/* Of whole pages, so a tape takes it without a copy; and one more, as
	 * in the file the first may not be whole. */
	cap = direct_align(cap);
	*k = (struct sink){ .out = out, .cap = cap, .full = cap };
	k->buf = aligned_alloc(DIRECT_ALIGN, cap + DIRECT_ALIGN);
	if (k->buf == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", out->name);
	return 0;
}

/* What is in the buffer goes to where it lies in the page of the file. */
static void
shift(struct sink *k)
{
	size_t lead = 0;

	if (k->out->past.on && k->at != -1)
		lead = (size_t)k->at % DIRECT_ALIGN;
	if (lead != k->lead)
		memmove(k->buf + lead, k->buf + k->lead, k->len);
	k->lead = lead;
}

/* Before the turn all of the buffer is used, and disks and pipes like much at
 * once. */
static void
set_full(struct sink *k)
{
	bool cached = k->out->seekable && k->out->tape == NULL &&
	    !k->out->past.on;

	k->full = k->at == -1 || !cached || k->cap < WORTH ? k->cap : WORTH;
}

void
sink_start(struct sink *k, off_t at)
{
	k->at = at;
	k->bytes = 0;
	k->len = 0;
	shift(k);
	set_full(k);
}

void
sink_start_in_turn(struct sink *k, size_t turn)
{
	sink_start(k, -1);
	k->in_turn = true;
	k->turn = turn;
}

static int
take_turn(struct sink *k)
{
	if (k->at == -1)
		k->at = output_wait(k->out, k->turn);
	return k->at == -1 ? -1 : 0;
}

int
sink_end(struct sink *k)
{
	if (!k->in_turn)
		return 0;
	if (take_turn(k) == -1)
		return -1;
	output_pass(k->out, k->at);
	return 0;
}

void
sink_fini(struct sink *k)
{
	free(k->buf);
	k->buf = NULL;
	keybuf_fini(&k->last);
}

static int
write_out(struct sink *k, const void *s, size_t n, struct hp_err *e)
{
	if (n == 0)
		return 0;
	if (take_turn(k) == -1 || output_write(k->out, s, n, k->at, e) == -1)
		return -1;
	k->at += (off_t)n;
	return 0;
}

/* What is there, or of a page that is not whole no part. */
static int
flush(struct sink *k, bool pages, struct hp_err *e)
{
	size_t n = k->len, rest = 0;

	if (n > 0 && take_turn(k) == -1)
		return -1;
	shift(k);
	if (pages && k->out->past.on)
		rest = (k->lead + n) % DIRECT_ALIGN;
	n -= rest < n ? rest : n;
	if (write_out(k, k->buf + k->lead, n, e) == -1)
		return -1;
	k->lead += n;
	k->len -= n;
	shift(k);
	set_full(k);
	return 0;
}

int
sink_flush(struct sink *k, struct hp_err *e)
{
	return flush(k, false, e);
}

/* There is no room for a record of n bytes below `full`. */
static int
make_room(struct sink *k, size_t n, struct hp_err *e)
{
	if (k->cap - k->len < n || !output_is_busy(k->out))
		return flush(k, n <= k->cap, e);
	/* Rather merge on than wait, and then try again. */
	k->full = k->len + n + WORTH / 2;
	k->full = k->full < k->cap ? k->full : k->cap;
	return 0;
}

static int
sink_put(
    struct sink *k, const struct format *f, struct span s, struct hp_err *e)
{
	size_t delim = f->kind == FORMAT_LINE;
	unsigned char *to;

	k->records++;
	k->bytes += s.len + delim;
	if (k->full < k->len + s.len + delim &&
	    make_room(k, s.len + delim, e) == -1)
		return -1;
	if (k->cap < s.len + delim) { /* too long to be copied */
		if (write_out(k, s.at, s.len, e) == -1)
			return -1;
		s.len = 0;
		shift(k);
	}
	to = k->buf + k->lead + k->len;
	memcpy(to, s.at, s.len);
	if (delim)
		to[s.len] = f->delim;
	k->len += s.len + delim;
	return 0;
}

/* A source in the tree, and the prefix of its record's key: all ones when it is
 * done. */
struct player {
	uint64_t prefix;
	size_t i;
};

struct merger {
	const struct view *view;
	struct source *source;
	size_t n;
	struct player *tree; /* [0] the winner, [1..n-1] the losers */
	struct sink *sink;
};

/* With the same prefix: does source i's record come before source j's? */
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

/* The better of the two takes *winner, the other one stays in *loser.  Who
 * wins is not to be foreseen, so there is no branch on it. */
static inline void
match(const struct merger *m, struct player *winner, struct player *loser)
{
	uint64_t swap, prefix, i;

	if (__builtin_expect(winner->prefix == loser->prefix, 0))
		swap = beats(m, loser->i, winner->i);
	else
		swap = loser->prefix < winner->prefix;
	prefix = (winner->prefix ^ loser->prefix) & -swap;
	i = (winner->i ^ loser->i) & -swap;
	winner->prefix ^= prefix;
	loser->prefix ^= prefix;
	winner->i ^= i;
	loser->i ^= i;
}

/* Plays the matches below node; returns the winner. */
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

/* The winner's source has another record now. */
static inline void
replay(struct merger *m)
{
	struct player winner = player(m, m->tree[0].i);

	for (size_t node = (winner.i + m->n) / 2; node > 0; node /= 2)
		match(m, &winner, &m->tree[node]);
	m->tree[0] = winner;
}

/* To the next record of source i; MERGE_FULL. */
static int
advance(struct merger *m, size_t i, struct hp_err *e)
{
	struct source *s = &m->source[i];
	int rc;

	while ((rc = source_next(s, e)) == SOURCE_EMPTY) {
		/* What is merged goes out before a wait. */
		if (s->feed != NULL && !feed_is_ready(s->feed) &&
		    (sink_flush(m->sink, e) == -1 ||
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

/* With -u: is the record's key the one that was put last?  Remembers it. */
static int
is_repeated(struct merger *m, const struct item *item, struct hp_err *e)
{
	struct span s = item_primary(m->view, item);
	struct room *room = m->source->room;
	struct sink *k = m->sink;
	unsigned char *grown;

	if (k->any && s.len == k->last.len &&
	    memcmp(s.at, k->last.bytes, s.len) == 0)
		return 1;
	if (k->last.cap < s.len + 1) {
		if ((grown = realloc(k->last.bytes, s.len + 1)) == NULL)
			return hp_fail_errno(e, HP_NOMEM, "merge");
		if (room != NULL)
			room->left -= (int64_t)(s.len + 1 - k->last.cap);
		k->last.bytes = grown;
		k->last.cap = s.len + 1;
	}
	memcpy(k->last.bytes, s.at, s.len);
	k->last.len = s.len;
	k->any = true;
	return 0;
}

static int
put(struct merger *m, const struct item *item, struct hp_err *e)
{
	const struct order *o = m->view->order;
	int rc = o->unique ? is_repeated(m, item, e) : 0;

	if (rc == 0)
		rc = sink_put(m->sink, &o->format, item->record, e);
	return rc == -1 ? -1 : 0;
}

/* Each source gets its first record, and the first that was not put. */
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
	struct source *s;
	int rc = begin(m, e);

	while (rc == 0) {
		s = &m->source[m->tree[0].i];
		if (s->done)
			return sink_flush(m->sink, e);
		if (put(m, &s->item, e) == -1)
			return -1;
		if ((rc = advance(m, m->tree[0].i, e)) == 0)
			replay(m);
		else
			s->put = true;
	}
	return rc;
}

/* While sources stay where they are, waits for one may fill the others. */
static void
set_readers(struct merger *m, bool on)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->source[i].feed != NULL)
			m->source[i].feed->reader = on ? &m->source[i] : NULL;
}

int
merge(const struct view *v, struct source *s, size_t n, struct sink *k,
    struct hp_err *e)
{
	struct merger m = { .view = v, .source = s, .n = n, .sink = k };
	int rc = -1;

	if (n == 0)
		return 0;
	set_readers(&m, true);
	m.tree = calloc(n, sizeof *m.tree);
	if (m.tree == NULL)
		hp_fail_errno(e, HP_NOMEM, "merge of %zu", n);
	else
		rc = run(&m, e);
	set_readers(&m, false);
	free(m.tree);
	return rc;
}
