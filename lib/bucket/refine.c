#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "bucket/bucket.h"
#include "bucket/kind.h"
#include "bucket/phase.h"
#include "bucket/refine.h"

enum {
	PARTS_MOST = 1 << 10, /* most parts of one bucket */
	/*
	 * If there are at least this many large buckets per thread, each bucket
	 * is divided by a single thread. Otherwise all threads divide each
	 * bucket together.
	 */
	ENOUGH = 2
};

/* A bucket that is being divided. */
struct split {
	struct bucket *from;
	struct division division;
	struct pile *pile; /* one per thread */
};

struct round {
	struct buckets *buckets;
	struct split *split;
	size_t n;
	/*
	 * true: each bucket is divided by a single thread; false: all threads
	 * divide each bucket together
	 */
	bool whole;
	size_t most; /* most parts of a bucket */
	_Atomic size_t next;
};

static bool
heavy(const struct buckets *b, const struct bucket *k)
{
	return !k->sorted && !k->cut &&
	    (k->n > b->leaf || k->bytes > b->leaf_bytes);
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
	n = b->kind->sample(b, k, sample, most);
	s->division.stage = k->stage;
	s->division.prefix = k->prefix;
	rc = tree_init(&s->division.tree, sample, n, k->depth, want,
	    b->view.flip[k->stage], e);
	free(sample);
	return rc == 0 ? division_init(&s->division, b->kind->briefs,
			     b->view.flip[k->stage], e)
		       : -1;
}

static int
plan_split(struct buckets *b, struct split *s, size_t most, struct hp_err *e)
{
	size_t want = s->from->n / refine_part(b);

	if (s->from->bytes / b->part_bytes > want)
		want = s->from->bytes / b->part_bytes;
	want = want + 2 < most ? want + 2 : most;
	if (plan_strings(b, s, want, e) == -1)
		return -1;
	if ((s->pile = calloc(b->threads, sizeof *s->pile)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	for (unsigned w = 0; w < b->threads; w++)
		if (pile_init(&s->pile[w], &b->heap[w], s->division.n, e) == -1)
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
split_list(struct buckets *b, struct split *s, unsigned list, unsigned w)
{
	struct walk at = list_walk(&s->from->list[list]);
	struct pile *p = &s->pile[w];
	struct chunk *done;

	while (walk_bytes(&at) > 0) {
		if (b->kind->divide(b, &s->division, p, at.chunk) == -1)
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

/*
 * Decides how the threads divide the large buckets. If there are many, each
 * thread divides buckets alone. If there are few, all threads divide each
 * bucket together. Then each thread has a partly empty chunk (memory block) for
 * each part of each bucket. So that these chunks take at most 1/16 of the
 * memory, a bucket gets fewer parts. Parts that are too large are divided
 * again.
 */
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

/* Replaces the divided buckets by their parts. */
static int
replace(struct round *r, struct hp_err *e)
{
	struct buckets *b = r->buckets;
	size_t total = b->nbuckets, i = 0;
	struct bucket *new, *to;

	for (i = 0; i < r->n; i++)
		total += r->split[i].division.n;
	if ((to = new = calloc(total, sizeof *new)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	i = 0;
	for (size_t k = 0; k < b->nbuckets; k++) {
		if (i == r->n || r->split[i].from != &b->bucket[k])
			*to++ = b->bucket[k];
		else if (buckets_collect(b, &r->split[i].division,
			     r->split[i].pile, &to, e) == -1) {
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

		division_fini(&s->division);
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
