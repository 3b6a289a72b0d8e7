/*
 * Buckets that are too large for the cache of one thread are distributed
 * again, by a sample of their own.  A thread takes whole buckets where there
 * are enough of them: what it fills are lists of its own, so the fewer threads
 * share a bucket, the fewer chunks are left that are not full.  Of few buckets,
 * and where each list is to keep its order, each thread distributes its lists.
 * The chunks it empties hold what it fills.
 */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "bucket/buckets.h"
#include "bucket/text.h"

enum {
	PARTS_MOST = 1 << 10,
	ENOUGH = 2,	    /* buckets for each thread */
	AHEAD = 12,	    /* entries whose bytes are prefetched */
	TEXT_MOST = 1 << 22 /* bytes of lines that are sorted at once */
};

/* One bucket's division. */
struct split {
	struct bucket *from;
	struct plan plan;
	struct pile *pile; /* one for each thread */
};

struct round {
	struct buckets *buckets;
	struct split *split;
	size_t n;
	bool whole;  /* a thread takes all lists of a bucket */
	size_t most; /* parts of a bucket */
	_Atomic size_t next;
};

static bool
heavy(const struct buckets *b, const struct bucket *k)
{
	return !k->sorted && !k->cut &&
	    (k->n > b->leaf || (b->text && k->bytes > TEXT_MOST));
}

/* Of at most `want` elements, evenly from all lists; returns how many. */
static size_t
sample_entries(const struct buckets *b, const struct bucket *k, struct span *to,
    size_t want)
{
	size_t step = k->n / want + 1, n = 0, in_chunk, skip = 0;
	uint64_t place;

	for (unsigned w = 0; w < b->threads; w++) {
		struct walk at = list_walk(&k->list[w]);

		for (; (in_chunk = walk_bytes(&at) / b->element) > 0;
		     walk_next(&at)) {
			for (; skip < in_chunk && n < want; skip += step) {
				place = buckets_place(
				    b, at.chunk->data + skip * b->element);
				to[n++] = buckets_bytes(b, place, k->stage);
			}
			skip -= skip < in_chunk ? skip : in_chunk;
		}
	}
	return n;
}

/* The same of lines. */
static size_t
sample_lines(const struct buckets *b, const struct bucket *k, struct span *to,
    size_t want)
{
	size_t step = k->n / want + 1, n = 0, i = 0;
	uint64_t place;

	for (unsigned w = 0; w < b->threads; w++) {
		struct walk at = list_walk(&k->list[w]);

		for (; walk_bytes(&at) > 0; walk_next(&at)) {
			const unsigned char *s = at.chunk->data;
			const unsigned char *end = s + at.chunk->used;

			while (s < end) {
				place = text_next(&s);
				if (i++ % step == 0)
					to[n++] = place_span(place);
			}
		}
	}
	return n;
}

static int
plan_strings(struct buckets *b, struct split *s, size_t want, struct hp_err *e)
{
	const struct bucket *k = s->from;
	size_t most = want * TREE_PER_BUCKET, n;
	struct span *sample = calloc(most, sizeof *sample);
	int rc;

	if (sample == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	n = b->text ? sample_lines(b, k, sample, most)
		    : sample_entries(b, k, sample, most);
	s->plan.stage = k->stage;
	s->plan.prefix = k->prefix;
	rc = tree_init(&s->plan.tree, sample, n, k->depth, want,
	    b->view.flip[k->stage], e);
	free(sample);
	return rc == 0 ? buckets_plan_init(b, &s->plan, e) : -1;
}

static int
plan_split(struct buckets *b, struct split *s, size_t most, struct hp_err *e)
{
	size_t want = s->from->n / buckets_part(b);

	if (b->text && s->from->bytes / b->part_text > want)
		want = s->from->bytes / b->part_text;
	want = want + 2 < most ? want + 2 : most;
	if (plan_strings(b, s, want, e) == -1)
		return -1;
	if ((s->pile = calloc(b->threads, sizeof *s->pile)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	for (unsigned w = 0; w < b->threads; w++)
		if (pile_init(&s->pile[w], &b->heap[w], s->plan.n, e) == -1)
			return -1;
	return 0;
}

static int
plan_worker(void *ctx, unsigned w)
{
	struct round *r = ctx;
	size_t i;

	while ((i = atomic_fetch_add(&r->next, 1)) < r->n)
		if (plan_split(r->buckets, &r->split[i], r->most,
			&r->buckets->err[w]) == -1)
			return -1;
	return 0;
}

static int
split_entries(const struct buckets *b, const struct plan *plan, struct pile *p,
    const unsigned char *x, size_t bytes)
{
	const struct tree *t = &plan->tree;
	size_t depth = t->nodes > 0 ? t->node[0].depth : 0;
	uint64_t place;
	struct span s;

	for (const unsigned char *end = x + bytes; x < end; x += b->element) {
		if (x + AHEAD * b->element < end)
			buckets_prefetch(
			    b, buckets_place(b, x + AHEAD * b->element), depth);
		place = buckets_place(b, x);
		s = buckets_bytes(b, place, plan->stage);
		if (buckets_put(b, plan, p, tree_find(t, s), s, place) == -1)
			return -1;
	}
	return 0;
}

static int
split_lines(const struct plan *plan, struct pile *p, const unsigned char *s,
    size_t bytes)
{
	const unsigned char *end = s + bytes;
	struct span line;
	uint64_t place;
	size_t to, depth;
	bool near;

	while (s < end) {
		near = text_near(s);
		place = text_next(&s);
		line = place_span(place);
		to = tree_find(&plan->tree, line);
		depth = plan->tree.leaf[to].depth;
		if (near) {
			line.at += depth;
			line.len -= depth;
		} else
			place = text_skip(place, depth);
		if ((near ? text_put_near(p, to, line)
			  : text_put_far(p, to, place)) == -1)
			return -1;
	}
	return 0;
}

static int
split_chunk(
    struct buckets *b, struct split *s, struct pile *p, const struct chunk *c)
{
	if (b->text)
		return split_lines(&s->plan, p, c->data, c->used);
	return split_entries(b, &s->plan, p, c->data, c->used);
}

static int
split_list(struct buckets *b, struct split *s, unsigned list, unsigned w)
{
	struct walk at = list_walk(&s->from->list[list]);
	struct pile *p = &s->pile[w];
	struct chunk *done;

	while (walk_bytes(&at) > 0) {
		if (split_chunk(b, s, p, at.chunk) == -1)
			return hp_fail(
			    &b->err[w], HP_NOMEM, "sort: out of memory");
		done = at.chunk;
		walk_next(&at);
		heap_give_back(p->heap, done);
	}
	return 0;
}

static int
split_lists(struct buckets *b, struct split *s, bool whole, unsigned w)
{
	unsigned list = whole ? 0 : w, end = whole ? b->threads : w + 1;

	for (; list < end; list++)
		if (split_list(b, s, list, w) == -1)
			return -1;
	pile_close(&s->pile[w]);
	return 0;
}

static int
split_worker(void *ctx, unsigned w)
{
	struct round *r = ctx;
	size_t i = 0;

	while ((r->whole ? i = atomic_fetch_add(&r->next, 1) : i) < r->n)
		if (split_lists(r->buckets, &r->split[i++], r->whole, w) == -1)
			return -1;
	return 0;
}

/* Parts for each thread lose no more in chunks that are not full than the first
 * buckets do: those that are still too large are many then. */
static void
choose_way(struct round *r)
{
	const struct buckets *b = r->buckets;

	r->most = PARTS_MOST;
	r->whole = !b->in_order && r->n >= ENOUGH * b->threads;
	if (r->n > 0 && !r->whole && !b->in_order)
		r->most = size_clamp(
		    b->in->cap / 16 / CHUNK / b->threads / r->n, 2, PARTS_MOST);
}

static int
split_all(struct round *r, struct hp_err *e)
{
	r->next = 0;
	return buckets_team(
	    r->buckets, r->buckets->threads, split_worker, r, e);
}

/* Put the parts in the place of the buckets that were split. */
static int
replace(struct round *r, struct hp_err *e)
{
	struct buckets *b = r->buckets;
	size_t total = b->nbuckets, i = 0;
	struct bucket *new, *to;

	for (i = 0; i < r->n; i++)
		total += r->split[i].plan.n;
	if ((to = new = calloc(total, sizeof *new)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	i = 0;
	for (size_t k = 0; k < b->nbuckets; k++) {
		if (i == r->n || r->split[i].from != &b->bucket[k])
			*to++ = b->bucket[k];
		else if (buckets_of(b, &r->split[i].plan, r->split[i].pile, &to,
			     e) == -1) {
			free(new);
			return -1;
		} else
			i++;
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

		buckets_plan_fini(&s->plan);
		for (unsigned w = 0; s->pile != NULL && w < r->buckets->threads;
		     w++)
			pile_fini(&s->pile[w]);
		free(s->pile);
	}
	free(r->split);
}

int
buckets_refine(struct buckets *b, struct hp_err *e)
{
	struct round r;
	int rc = 0;

	do {
		r = (struct round){ .buckets = b };
		r.split = calloc(b->nbuckets + 1, sizeof *r.split);
		if (r.split == NULL)
			return hp_fail_errno(e, HP_NOMEM, "sort");
		for (size_t i = 0; i < b->nbuckets; i++)
			if (heavy(b, &b->bucket[i]))
				r.split[r.n++].from = &b->bucket[i];
		choose_way(&r);
		if (r.n > 0 &&
		    (buckets_team(b, b->threads, plan_worker, &r, e) == -1 ||
			split_all(&r, e) == -1 || replace(&r, e) == -1))
			rc = -1;
		free_splits(&r);
	} while (rc == 0 && r.n > 0);
	return rc;
}
