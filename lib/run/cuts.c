#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run/cuts.h"
#include "base/team.h"

enum {
	PROBE = 1 << 12, /* bytes read to find one record */
	/*
	 * Maximum length in bytes of a record for a merge by several threads.
	 * With longer records, a merge by one thread is faster.
	 */
	PROBE_MOST = 1 << 20,
	/*
	 * The binary search ends when at most this many bytes are left, and
	 * these bytes are read in order. Reading them takes as long as a few
	 * more search steps.
	 */
	WALK = 1 << 16,
	SAMPLES = 32, /* records sampled per part */
	SAMPLES_MOST = 4096
};

/*
 * A record sampled from a run. Some samples become pivots: the records at which
 * the runs are cut.
 */
struct sample {
	size_t run;
	uint64_t at; /* offset of the record */
	struct source s;
};

int
cuts_open(const struct cuts *c, size_t i, uint64_t from, uint64_t bytes,
    size_t buffer, struct source *s, struct hp_err *e)
{
	const struct extent_run *r = &c->run[i];

	return r->tape != NULL
	    ? source_tape(s, c->view, c->store, r->tape, from, bytes, buffer, e)
	    : source_extent(s, c->view, r->fd, (off_t)(r->off + from), bytes,
		  r->name, buffer, e);
}

static int
too_long(const struct extent_run *r, struct hp_err *e)
{
	return hp_fail(e, HP_INPUT, "%s: long records", r->name);
}

/*
 * Advances s to its next record, or sets s->done at the end. Fails with
 * HP_INPUT if the record is longer than c->most.
 */
static int
next(const struct cuts *c, const struct extent_run *r, struct source *s,
    struct hp_err *e)
{
	int rc;

	while ((rc = source_next(s, e)) == SOURCE_EMPTY) {
		if (s->end - s->pos > c->most)
			return too_long(r, e);
		if (source_fill(s, e) == -1)
			return -1;
	}
	return rc == -1 ? -1 : 0;
}

/*
 * Opens s at the first record of run i that starts at byte `from` or later.
 * Sets s->done if there is no such record. The caller closes s.
 */
static int
probe(const struct cuts *c, size_t i, uint64_t from, struct source *s,
    uint64_t *start, struct hp_err *e)
{
	const struct extent_run *r = &c->run[i];
	const struct format *f = &c->view->order->format;
	bool inside = f->size == 0 && from > 0;

	/*
	 * For lines, start one byte before `from`. If this byte is a delimiter,
	 * a line starts exactly at `from`.
	 */
	from = f->size == 0 ? from - inside : from / f->size * f->size;
	if (cuts_open(c, i, from, r->bytes - from, PROBE, s, e) == -1)
		return -1;
	if (r->bytes == from)
		s->done = true;
	for (unsigned k = 0; k <= inside && !s->done; k++)
		if (next(c, r, s, e) == -1)
			return -1;
	*start = s->done ? r->bytes
			 : (uint64_t)s->at - r->off - s->end +
		(uint64_t)(s->item.record.at - s->buf);
	return 0;
}

static uint64_t
record_end(const struct cuts *c, const struct extent_run *r,
    const struct item *item, uint64_t start)
{
	uint64_t end = start + item->record.len +
	    scan_delim(&c->view->order->format);

	return end < r->bytes ? end : r->bytes;
}

/*
 * Stores in *low and *high a range of offsets in run i. The first record that
 * is not below the pivot starts in this range. The bounds come from the nearest
 * samples of this run below and above the pivot.
 */
static void
bracket(
    const struct cuts *c, size_t i, size_t pivot, uint64_t *low, uint64_t *high)
{
	const struct item *item = &c->sample[pivot].s.item;
	const struct sample *s;
	size_t k;

	*low = 0;
	*high = c->run[i].bytes;
	for (k = pivot; k < c->nsamples && c->sample[k].run != i; k++)
		;
	if (k < c->nsamples)
		*high = c->sample[k].at;
	for (k = pivot; k-- > 0;) {
		s = &c->sample[k];
		if (s->run != i)
			continue;
		if (item_compare(c->view, &s->s.item, item) < 0) {
			*low = record_end(c, &c->run[i], &s->s.item, s->at);
			break;
		}
		*high = s->at;
	}
}

/*
 * Reads run i from offset `low` on, where a record starts. Sets *found to the
 * offset of the first record that is not below `item`. If no such record starts
 * before `high`, *found is the first start of a record at or after `high`.
 */
static int
walk(const struct cuts *c, size_t i, uint64_t low, uint64_t high,
    const struct item *item, uint64_t *found, struct hp_err *e)
{
	const struct extent_run *r = &c->run[i];
	struct source s = { 0 };
	int rc = 0;

	*found = low;
	if (low < high)
		rc = cuts_open(c, i, low, r->bytes - low, WALK + PROBE, &s, e);
	while (rc == 0 && *found < high && (rc = next(c, r, &s, e)) == 0) {
		if (s.done || item_compare(c->view, &s.item, item) >= 0)
			break;
		*found = record_end(c, r, &s.item, *found);
	}
	source_close(&s);
	return rc;
}

/* Finds the offset of the first record in run i that is not below the pivot. */
static int
lower_bound(const struct cuts *c, size_t i, size_t pivot, uint64_t *found,
    struct hp_err *e)
{
	const struct item *item = &c->sample[pivot].s.item;
	uint64_t low, high, mid, start;
	struct source s = { 0 };
	int rc = 0;

	bracket(c, i, pivot, &low, &high);
	while (rc == 0 && low + WALK < high) {
		mid = low + (high - low) / 2;
		rc = probe(c, i, mid, &s, &start, e);
		if (rc == 0 && !s.done && start < high &&
		    item_compare(c->view, &s.item, item) < 0)
			low = record_end(c, &c->run[i], &s.item, start);
		else
			high = mid;
		source_close(&s);
	}
	return rc == -1 ? -1 : walk(c, i, low, high, item, found, e);
}

/*
 * Calls `work` in all threads. There are a few more threads than processors,
 * because the threads mostly wait for the disk.
 */
static int
in_parallel(struct cuts *c, int (*work)(void *, unsigned), struct hp_err *e)
{
	c->next = 0;
	if (team_run_spare(c->threads, work, c, e) == 0)
		return 0;
	for (unsigned i = 0; i < c->threads + TEAM_SPARE; i++)
		if (e->kind == HP_NONE)
			*e = c->err[i];
	return -1;
}

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
	if ((less = realloc(s->buf, r->len + 1)) != NULL) {
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
			rc = too_long(&c->run[s->run], &c->err[w]);
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

/*
 * Takes samples from all runs at equal distances and sorts the samples. Chooses
 * pivots that divide the sorted samples into equal parts.
 */
static int
choose_pivots(struct cuts *c, struct hp_err *e)
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
	if (in_parallel(c, sample_worker, e) == -1)
		return -1;
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

/*
 * Runs in each thread. Takes the next pivot and run, and finds the offset at
 * which the pivot cuts the run.
 */
static int
cut_worker(void *ctx, unsigned w)
{
	struct cuts *c = ctx;
	size_t all = c->parts * c->n, k;

	while ((k = atomic_fetch_add(&c->next, 1)) < all) {
		if (k >= c->n &&
		    lower_bound(c, k % c->n, c->pivot[k / c->n], &c->at[k],
			&c->err[w]) == -1) {
			c->next = all;
			return -1;
		}
	}
	return 0;
}

static int
cut(struct cuts *c, struct hp_err *e)
{
	uint64_t *at = c->at;

	if (in_parallel(c, cut_worker, e) == -1)
		return -1;
	for (size_t i = 0; i < c->n; i++)
		at[c->parts * c->n + i] = c->run[i].bytes;
	for (size_t k = c->n; k < (c->parts + 1) * c->n; k++)
		if (at[k] < at[k - c->n]) /* only if the run is not sorted */
			return hp_fail(e, HP_INPUT, "%s: not sorted",
			    c->run[k % c->n].name);
	return 0;
}

/*
 * Closes all samples except the pivots, because cuts_hold still needs the
 * pivots.
 */
static void
close_samples(struct cuts *c)
{
	size_t p = 1;

	for (size_t k = 0; k < c->nsamples; k++) {
		if (p < c->parts && c->pivot[p] == k)
			p++;
		else
			source_close(&c->sample[k].s);
	}
}

bool
cuts_hold(const struct cuts *c, size_t p, const struct source *s)
{
	return s->nrec == 0 || p + 1 == c->parts ||
	    item_compare(
		c->view, &s->item, &c->sample[c->pivot[p + 1]].s.item) < 0;
}

int
cuts_find(struct cuts *c, const struct view *v, struct store *store,
    const struct extent_run *run, size_t n, size_t parts, unsigned threads,
    uint64_t memory, struct hp_err *e)
{
	/*
	 * Half of the memory is for samples, and a quarter is for the read
	 * buffers of all threads. A buffer that grows may double. So a record
	 * may be at most half as long as a thread's share.
	 */
	uint64_t most = room_buffer(v, memory / 8 / (threads + TEAM_SPARE));

	*c = (struct cuts){ .view = v,
		.store = store,
		.run = run,
		.n = n,
		.parts = parts,
		.threads = threads,
		.most = most < PROBE_MOST ? (size_t)most : PROBE_MOST,
		.room = (int64_t)(memory / 2) };
	for (size_t i = 0; i < n; i++)
		c->total += run[i].bytes;
	c->at = calloc((parts + 1) * n, sizeof *c->at);
	c->pivot = calloc(parts + 1, sizeof *c->pivot);
	c->err = calloc(threads + TEAM_SPARE, sizeof *c->err);
	if (c->at == NULL || c->pivot == NULL || c->err == NULL)
		return hp_fail_errno(e, HP_NOMEM, "merge of %zu runs", n);
	if (choose_pivots(c, e) == -1 || cut(c, e) == -1)
		return -1;
	close_samples(c);
	return 0;
}

void
cuts_fini(struct cuts *c)
{
	for (size_t k = 0; k < c->nsamples; k++)
		source_close(&c->sample[k].s);
	free(c->sample);
	free(c->pivot);
	free(c->at);
	free(c->err);
	*c = (struct cuts){ 0 };
}
