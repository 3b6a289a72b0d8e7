#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "base/team.h"
#include "record/keybuf.h"
#include "run/pivots.h"
#include "run/probe.h"

enum {
	SAMPLES = 32, /* records sampled per part */
	SAMPLES_MOST = 4096
};

/*
 * Frees the part of a sample's buffer that its record and key do not use,
 * because there are many samples. A sample beyond the end of its run has no
 * record; then only the flag `done` is kept. Returns -1 when the memory for
 * samples is used up.
 */
static int
shrink(struct cuts *c, struct source *s)
{
	struct span *r = &s->item.record;
	unsigned char *less;

	if (s->done) {
		source_close(s);
		s->done = true;
		return 0;
	}
	memmove(s->buf, r->at, r->len);
	if ((less = space_grow(s->buf, s->cap, r->len + 1)) != NULL) {
		s->buf = less;
		s->cap = r->len + 1;
	}
	r->at = s->buf;
	keybuf_fini(&s->keys[s->nrec % 2]); /* the key of the previous record */
	c->room -= (int64_t)(s->cap + s->keys[0].cap + s->keys[1].cap);
	return c->room < 0 ? -1 : 0;
}

static int
sample_worker(void *ctx, unsigned w)
{
	struct cuts *c = ctx;
	struct sample *s;
	size_t k;
	int rc;

	while ((k = atomic_fetch_add(&c->next, 1)) < c->nsamples) {
		s = &c->sample[k];
		rc = probe(c, s->run, s->at, &s->s, &s->at, &c->err[w]);
		if (rc == 0 && shrink(c, &s->s) == -1)
			rc = probe_too_long(&c->run[s->run], &c->err[w]);
		if (rc == -1) {
			c->next = c->nsamples;
			return -1;
		}
	}
	return 0;
}

/*
 * Compares two samples by their keys. If the keys are equal, compares the
 * offsets. Samples beyond the end of their run come last.
 */
static int
compare_samples(const void *a, const void *b, void *view)
{
	const struct sample *x = a, *y = b;
	int c;

	if (x->s.done || y->s.done)
		return x->s.done - y->s.done;
	c = item_compare(view, &x->s.item, &y->s.item);
	if (c == 0)
		c = x->at < y->at ? -1 : x->at > y->at;
	return c;
}

int
pivots_choose(struct cuts *c, struct hp_err *e)
{
	size_t want = c->parts * SAMPLES, n = 0;
	uint64_t step, at = 0, off;

	if (want > SAMPLES_MOST)
		want = c->parts > SAMPLES_MOST ? c->parts : SAMPLES_MOST;
	step = c->total / want + 1;
	if ((c->sample = calloc(want + c->n, sizeof *c->sample)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "merge");
	for (size_t i = 0; i < c->n; i++) {
		for (off = (step - at % step) % step;
		     off < c->run[i].bytes && n < want + c->n; off += step)
			c->sample[n++] = (struct sample){ .run = i, .at = off };
		at += c->run[i].bytes;
	}
	c->nsamples = n;
	c->next = 0;
	if (team_run_spare(c->threads, sample_worker, c, e) == -1)
		return team_error(c->err, c->threads + TEAM_SPARE, e);
	qsort_r(c->sample, n, sizeof *c->sample, compare_samples,
	    (void *)(uintptr_t)c->view);
	while (n > 0 && c->sample[n - 1].s.done)
		source_close(&c->sample[--n].s);
	c->nsamples = n;
	if (n < c->parts)
		c->parts = n == 0 ? 1 : n;
	for (size_t p = 1; p < c->parts; p++)
		c->pivot[p] = p * n / c->parts;
	return 0;
}

void
pivots_close_others(struct cuts *c)
{
	size_t p = 1;

	for (size_t k = 0; k < c->nsamples; k++) {
		if (p < c->parts && c->pivot[p] == k)
			p++;
		else
			source_close(&c->sample[k].s);
	}
}
