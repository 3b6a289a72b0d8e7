/*
 * Buckets that are too large for the cache of one thread are distributed
 * again: by what follows the 8 bytes if these are all the same, else by a finer
 * look at them.  Each thread distributes its own lists of all such buckets, and
 * the chunks it empties hold what it fills.
 */
#include <stdlib.h>
#include <string.h>

#include "sort/batch.h"

enum {
	PART = 4096, /* entries a part should have */
	SAMPLE = 1 << 14,
	PER_PART = 16, /* keys in the sample for each part */
	AHEAD = 12,    /* entries whose bytes are prefetched */
	ENDED = 9,     /* parts for keys with 0 to 8 bytes left */
	MOST_COMMON = 1 << 12
};

/*
 * One bucket's division.  Where its entries agree in the 8 bytes at its depth,
 * the parts are in this order, or in the opposite one when flipped: those that
 * end within these 8 bytes, by length; those below the `skip` bytes that the
 * sample has in common behind them; those that have these bytes, spread by the
 * next 8; those above.
 */
struct split {
	struct bucket *from;
	bool deeper; /* the entries agree */
	struct span common;
	size_t depth; /* of the keys that are spread */
	struct spread spread;
	struct pile *pile;		      /* one for each thread */
	size_t first, below, above, ended, n; /* numbers of parts */
};

struct round {
	struct batch *batch;
	struct split *split;
	size_t n;
	_Atomic size_t next;
};

static bool
heavy(const struct batch *b, const struct bucket *k)
{
	return !k->sorted && k->n > b->leaf;
}

/* At most `want` elements, evenly from all lists; returns how many. */
static size_t
sample_elements(
    const struct batch *b, const struct bucket *k, void *to, size_t want)
{
	size_t step = k->n / want + 1, n = 0, in_chunk, skip = 0;
	unsigned char *x = to;

	for (unsigned w = 0; w < b->threads; w++) {
		struct walk at = list_walk(&k->list[w]);

		for (; (in_chunk = walk_bytes(&at) / b->element) > 0;
		     walk_next(&at)) {
			for (; skip < in_chunk && n < want; skip += step)
				memcpy(x + n++ * b->element,
				    at.chunk->data + skip * b->element,
				    b->element);
			skip -= skip < in_chunk ? skip : in_chunk;
		}
	}
	return n;
}

/* The key of element i; an entry begins with it. */
static uint64_t
element_key(const struct batch *b, const void *x, size_t i)
{
	uint64_t key = 0;

	memcpy(&key, (const unsigned char *)x + i * b->element,
	    b->element == 4 ? 4 : 8);
	return key;
}

/* The bytes that all keys in the sample share at depth; those that are shorter
 * do not count. */
static struct span
sample_common(const struct view *v, const struct entry *x, size_t n,
    unsigned stage, size_t depth)
{
	struct span c = { NULL, 0 }, s;
	size_t k;

	for (size_t i = 0; i < n; i++) {
		s = view_bytes(v, x[i].place, stage);
		if (s.len <= depth)
			continue;
		s.at += depth;
		s.len -= depth;
		if (c.at == NULL)
			c = (struct span){ s.at,
				s.len < MOST_COMMON ? s.len : MOST_COMMON };
		c.len = c.len < s.len ? c.len : s.len;
		for (k = 0; k < c.len && s.at[k] == c.at[k];)
			k++;
		c.len = k;
	}
	return c;
}

static void
number_parts(struct split *s, bool flip)
{
	size_t ended = s->deeper ? ENDED : 0, sides = s->deeper ? 1 : 0;

	s->ended = flip ? s->spread.buckets + 2 * sides : 0;
	s->below = flip ? s->spread.buckets + sides : ended;
	s->first = flip ? sides : ended + sides;
	s->above = flip ? 0 : ended + sides + s->spread.buckets;
	s->n = s->spread.buckets + ended + 2 * sides;
}

static int
plan_split(struct batch *b, struct split *s, struct hp_err *e)
{
	struct bucket *k = s->from;
	size_t want = k->n / b->part + 2, n, used = 0;
	struct entry *x;
	uint64_t *key;
	int rc = -1;

	want = want < SAMPLE / PER_PART ? want : SAMPLE / PER_PART;
	x = calloc(want * PER_PART, sizeof *x);
	key = calloc(want * PER_PART, sizeof *key);
	if (x == NULL || key == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		goto out;
	}
	n = sample_elements(b, k, x, want * PER_PART);
	s->depth = k->depth;
	s->deeper = k->equal;
	if (s->deeper) {
		s->depth += 8;
		s->common = sample_common(&b->view, x, n, k->stage, s->depth);
		s->depth += s->common.len;
	}
	for (size_t i = 0; i < n; i++) {
		if (!s->deeper)
			key[used++] = element_key(b, x, i);
		else if (view_bytes(&b->view, x[i].place, k->stage).len >=
		    s->depth)
			key[used++] = view_load(
			    &b->view, x[i].place, k->stage, s->depth);
	}
	if (spread_init(&s->spread, key, used, want, e) == -1)
		goto out;
	number_parts(s, b->view.flip[k->stage]);
	if ((s->pile = calloc(b->threads, sizeof *s->pile)) == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		goto out;
	}
	for (unsigned w = 0; w < b->threads; w++)
		if (pile_init(&s->pile[w], &b->heap[w], s->n, e) == -1)
			goto out;
	rc = 0;
out:
	free(x);
	free(key);
	return rc;
}

static int
plan_worker(void *ctx, unsigned w)
{
	struct round *r = ctx;
	size_t i;

	while ((i = atomic_fetch_add(&r->next, 1)) < r->n)
		if (plan_split(r->batch, &r->split[i], &r->batch->err[w]) == -1)
			return -1;
	return 0;
}

/* The part for an entry whose key agrees with the others'; loads the next. */
static size_t
deeper_part(const struct view *v, const struct split *s, struct entry *x)
{
	unsigned stage = s->from->stage;
	size_t depth = s->from->depth, left, n;
	bool flip = v->flip[stage];
	struct span bytes = view_bytes(v, x->place, stage);
	int c;

	left = bytes.len > depth ? bytes.len - depth : 0;
	if (left < ENDED) {
		if (stage + 1 < v->stages)
			x->key = view_load(v, x->place, stage + 1, 0);
		return s->ended + (flip ? 8 - left : left);
	}
	n = left - 8 < s->common.len ? left - 8 : s->common.len;
	c = n == 0 ? 0 : memcmp(bytes.at + depth + 8, s->common.at, n);
	if (c == 0 && n == s->common.len) {
		x->key = span_load(bytes, s->depth, flip);
		return s->first + spread_bucket(&s->spread, x->key);
	}
	x->key = span_load(bytes, depth + 8, flip);
	return c > 0 ? s->above : s->below;
}

static int
split_entries(
    const struct view *v, struct split *s, struct pile *p, void *from, size_t n)
{
	struct entry *x = from, *to;
	size_t part;

	for (size_t i = 0; i < n; i++) {
		if (s->deeper && i + AHEAD < n)
			view_prefetch(x[i + AHEAD].place, s->from->depth);
		part = s->deeper ? deeper_part(v, s, &x[i])
				 : spread_bucket(&s->spread, x[i].key);
		if ((to = pile_put(p, part, sizeof *to)) == NULL)
			return -1;
		*to = x[i];
	}
	return 0;
}

static int
split_list(struct batch *b, struct split *s, unsigned w)
{
	struct walk at = list_walk(&s->from->list[w]);
	struct pile *p = &s->pile[w];
	struct chunk *done;
	size_t n;
	int rc;

	while ((n = walk_bytes(&at) / b->element) > 0) {
		rc = b->view.kind == VIEW_NUMBER
		    ? number_split(&b->number, &s->spread, p, at.chunk->data, n)
		    : split_entries(&b->view, s, p, at.chunk->data, n);
		if (rc == -1)
			return hp_fail(
			    &b->err[w], HP_NOMEM, "sort: out of memory");
		done = at.chunk;
		walk_next(&at);
		heap_give_back(p->heap, done);
	}
	pile_close(p);
	return 0;
}

static int
split_worker(void *ctx, unsigned w)
{
	struct round *r = ctx;

	for (size_t i = 0; i < r->n; i++)
		if (split_list(r->batch, &r->split[i], w) == -1)
			return -1;
	return 0;
}

/* What part i is, but for its entries. */
static struct bucket
describe(const struct batch *b, const struct split *s, size_t i)
{
	struct bucket k = { .depth = s->depth, .stage = s->from->stage };

	if (i - s->first < s->spread.buckets) {
		k.equal = s->spread.equal[i - s->first];
		k.sorted = k.equal && b->view.kind == VIEW_NUMBER;
	} else if (i == s->below || i == s->above)
		k.depth = s->from->depth + 8;
	else if (k.stage + 1 < b->view.stages) {
		k.stage++;
		k.depth = 0;
	} else
		k.sorted = true;
	return k;
}

static int
add_parts(struct batch *b, const struct split *s, struct bucket **out,
    struct hp_err *e)
{
	struct list *l = calloc(s->n * b->threads, sizeof *l);

	if (l == NULL || batch_keep_lists(b, l, e) == -1) {
		free(l);
		return hp_fail(e, HP_NOMEM, "sort: out of memory");
	}
	for (size_t i = 0; i < s->n; i++, l += b->threads) {
		struct bucket k = describe(b, s, i);

		k.list = l;
		for (unsigned w = 0; w < b->threads; w++) {
			l[w] = s->pile[w].list[i];
			k.n += l[w].bytes / b->element;
		}
		if (k.n > 0)
			*(*out)++ = k;
	}
	return 0;
}

/* Put the parts in the place of the buckets that were split. */
static int
replace(struct round *r, struct hp_err *e)
{
	struct batch *b = r->batch;
	size_t total = b->nbuckets, i = 0;
	struct bucket *new, *to;

	for (i = 0; i < r->n; i++)
		total += r->split[i].n;
	if ((to = new = calloc(total, sizeof *new)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	i = 0;
	for (size_t k = 0; k < b->nbuckets; k++) {
		if (i == r->n || r->split[i].from != &b->bucket[k])
			*to++ = b->bucket[k];
		else if (add_parts(b, &r->split[i++], &to, e) == -1) {
			free(new);
			return -1;
		}
	}
	free(b->bucket);
	b->bucket = new;
	b->nbuckets = (size_t)(to - new);
	return 0;
}

static void
free_splits(struct round *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct split *s = &r->split[i];

		spread_fini(&s->spread);
		for (unsigned w = 0; s->pile != NULL && w < r->batch->threads;
		     w++)
			pile_fini(&s->pile[w]);
		free(s->pile);
	}
	free(r->split);
}

int
batch_refine(struct batch *b, struct hp_err *e)
{
	struct round r;
	int rc = 0;

	do {
		r = (struct round){ .batch = b };
		r.split = calloc(b->nbuckets + 1, sizeof *r.split);
		if (r.split == NULL)
			return hp_fail_errno(e, HP_NOMEM, "sort");
		for (size_t i = 0; i < b->nbuckets; i++)
			if (heavy(b, &b->bucket[i]))
				r.split[r.n++].from = &b->bucket[i];
		if (r.n > 0 &&
		    (batch_team(b, plan_worker, &r, e) == -1 ||
			batch_team(b, split_worker, &r, e) == -1 ||
			replace(&r, e) == -1))
			rc = -1;
		free_splits(&r);
	} while (rc == 0 && r.n > 0);
	return rc;
}
