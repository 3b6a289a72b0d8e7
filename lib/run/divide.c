#include <sys/stat.h>

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/team.h"
#include "run/divide.h"
#include "run/merge.h"

enum {
	PROBE = 1 << 12,      /* bytes read to find one record */
	PROBE_MOST = 1 << 20, /* more takes longer than it saves */
	PARTS = 4,	      /* for each thread: some are merged faster */
	SAMPLES = 32,	      /* records looked at for each part */
	PART_LEAST = 1 << 22, /* bytes that are worth a part */
	/* More is more to touch, and not read faster: from a disk; and of
	 * files that the page cache has, which should stay in an L2 cache. */
	BUFFER_MOST = 1 << 18,
	BUFFER_CACHED = 1 << 16
};

/* A record somewhere in a run. */
struct sample {
	size_t run;
	uint64_t at; /* where the record starts */
	struct source s;
};

struct division {
	const struct view *view;
	struct store *store;
	const struct extent_run *run;
	size_t n, parts;
	unsigned threads;
	uint64_t total;
	uint64_t *cut;	 /* [parts + 1][n] offsets in the runs */
	uint64_t *place; /* [parts + 1] offsets in the output */
	struct sample *sample;
	size_t nsamples;
	struct sample **pivot; /* [parts + 1] that part them, or NULL; 1.. */
	struct output *to;
	size_t buffer;
	struct hp_err *err; /* one for each thread */
	_Atomic size_t next;
	_Atomic uint64_t records;
};

static int
open_part(const struct division *d, size_t i, uint64_t from, uint64_t bytes,
    size_t buffer, struct source *s, struct hp_err *e)
{
	const struct extent_run *r = &d->run[i];

	if (r->tape == NULL && buffer > BUFFER_CACHED)
		buffer = BUFFER_CACHED;
	return r->tape != NULL
	    ? source_tape(s, d->view, d->store, r->tape, from, bytes, buffer, e)
	    : source_extent(
		  s, d->view, r->fd, (off_t)from, bytes, r->name, buffer, e);
}

/* The first record that starts at or behind byte `from` of a run becomes the
 * item of s, which the caller closes; done at the end. */
static int
probe(const struct division *d, size_t i, uint64_t from, struct source *s,
    uint64_t *start, struct hp_err *e)
{
	const struct extent_run *r = &d->run[i];
	const struct format *f = &d->view->order->format;
	bool inside = f->kind == FORMAT_LINE && from > 0;
	int rc;

	/* From the byte before, so that a line that starts here is seen to. */
	from = f->kind == FORMAT_LINE ? from - inside
				      : from / f->size * f->size;
	if (open_part(d, i, from, r->bytes - from, PROBE, s, e) == -1)
		return -1;
	if (r->bytes == from)
		s->done = true;
	for (unsigned k = 0; k <= inside && !s->done; k++)
		do {
			rc = source_next(s, e);
			if (rc == SOURCE_EMPTY && s->end > PROBE_MOST)
				rc = hp_fail(e, HP_INPUT,
				    "%s: records of over %d bytes", r->name,
				    PROBE_MOST);
			else if (rc == SOURCE_EMPTY && source_fill(s, e) == -1)
				rc = -1;
			if (rc == -1)
				return -1;
		} while (rc == SOURCE_EMPTY);
	*start = s->done
	    ? r->bytes
	    : (uint64_t)s->at - s->end + (uint64_t)(s->item.record.at - s->buf);
	return 0;
}

/* Where the first record of run i may be that is not before the pivot, as the
 * samples have it. */
static void
bracket(const struct division *d, size_t i, const struct item *pivot,
    uint64_t *low, uint64_t *high)
{
	const struct format *f = &d->view->order->format;
	const struct sample *s;

	*low = 0;
	*high = d->run[i].bytes;
	for (size_t k = 0; k < d->nsamples; k++) {
		s = &d->sample[k];
		if (s->run != i)
			continue;
		if (item_compare(d->view, &s->s.item, pivot) >= 0) {
			*high = s->at;
			break;
		}
		*low = s->at + s->s.item.record.len + (f->kind == FORMAT_LINE);
	}
	if (*low > d->run[i].bytes)
		*low = d->run[i].bytes;
}

/* Where the first record of run i is that is not before the pivot. */
static int
lower_bound(const struct division *d, size_t i, const struct item *pivot,
    uint64_t *found, struct hp_err *e)
{
	const struct format *f = &d->view->order->format;
	uint64_t low, high, mid, start;
	struct source s = { 0 };
	int rc = 0;

	bracket(d, i, pivot, &low, &high);
	while (rc == 0 && low < high) {
		mid = low + (high - low) / 2;
		rc = probe(d, i, mid, &s, &start, e);
		if (rc == 0 && !s.done && start < high &&
		    item_compare(d->view, &s.item, pivot) < 0) {
			low = start + s.item.record.len +
			    (f->kind == FORMAT_LINE);
			low = low < d->run[i].bytes ? low : d->run[i].bytes;
		} else
			high = mid;
		source_close(&s);
	}
	*found = low;
	return rc;
}

/* Each of these waits for the disk most of the time: all threads at once. */
static int
in_parallel(struct division *d, int (*work)(void *, unsigned), struct hp_err *e)
{
	d->next = 0;
	if (team_run_spare(d->threads, work, d, e) == 0)
		return 0;
	for (unsigned i = 0; i < d->threads + TEAM_SPARE; i++)
		if (e->kind == HP_NONE)
			*e = d->err[i];
	return -1;
}

static int
sample_worker(void *ctx, unsigned w)
{
	struct division *d = ctx;
	struct sample *s;
	size_t k;

	while ((k = atomic_fetch_add(&d->next, 1)) < d->nsamples) {
		s = &d->sample[k];
		if (probe(d, s->run, s->at, &s->s, &s->at, &d->err[w]) == -1) {
			d->next = d->nsamples;
			return -1;
		}
	}
	return 0;
}

/* In order, those that are none behind all others. */
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

/* Pivots from records at regular distances of all runs together. */
static int
choose_pivots(struct division *d, struct hp_err *e)
{
	size_t want = d->parts * SAMPLES, n = 0;
	uint64_t step = d->total / want + 1, at = 0, off;

	if ((d->sample = calloc(want + d->n, sizeof *d->sample)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "merge");
	for (size_t i = 0; i < d->n; i++) {
		for (off = (step - at % step) % step;
		     off < d->run[i].bytes && n < want + d->n; off += step)
			d->sample[n++] = (struct sample){ .run = i, .at = off };
		at += d->run[i].bytes;
	}
	d->nsamples = n;
	if (in_parallel(d, sample_worker, e) == -1)
		return -1;
	qsort_r(d->sample, n, sizeof *d->sample, compare_samples,
	    (void *)(uintptr_t)d->view);
	while (n > 0 && d->sample[n - 1].s.done)
		source_close(&d->sample[--n].s);
	d->nsamples = n;
	for (size_t p = 1; n > 0 && p < d->parts; p++)
		d->pivot[p] = &d->sample[p * n / d->parts];
	return 0;
}

/* A last line without its delimiter takes a byte more in the output. */
static int
lacks_delimiter(const struct division *d, size_t i, struct hp_err *e)
{
	const struct extent_run *r = &d->run[i];
	unsigned char c;

	if (d->view->order->format.kind != FORMAT_LINE || r->bytes == 0 ||
	    r->tape != NULL)
		return 0;
	if (io_pread(r->fd, &c, 1, (off_t)r->bytes - 1) != 1)
		return hp_fail_errno(e, HP_IO, "%s", r->name);
	return c != d->view->order->format.delim;
}

/* The cuts of all runs at all pivots. */
static int
cut_worker(void *ctx, unsigned w)
{
	struct division *d = ctx;
	size_t k, p;

	while ((k = atomic_fetch_add(&d->next, 1)) < d->parts * d->n) {
		p = k / d->n;
		if (p > 0 && d->pivot[p] != NULL &&
		    lower_bound(d, k % d->n, &d->pivot[p]->s.item, &d->cut[k],
			&d->err[w]) == -1) {
			d->next = d->parts * d->n;
			return -1;
		}
	}
	return 0;
}

static int
cut(struct division *d, struct hp_err *e)
{
	uint64_t *c;
	int more;

	if (in_parallel(d, cut_worker, e) == -1)
		return -1;
	for (size_t p = 1; p <= d->parts; p++)
		for (size_t i = 0; i < d->n; i++) {
			c = &d->cut[p * d->n + i];
			if (p == d->parts)
				*c = d->run[i].bytes;
			/* Only if the run is not sorted. */
			if (*c < c[-(ptrdiff_t)d->n])
				return hp_fail(e, HP_INPUT, "%s: not sorted",
				    d->run[i].name);
			d->place[p] += *c - c[-(ptrdiff_t)d->n];
		}
	for (size_t i = 0; i < d->n; i++) {
		if ((more = lacks_delimiter(d, i, e)) == -1)
			return -1;
		/* In the part where the run ends. */
		for (size_t p = d->parts; more == 1 && p > 0; p--)
			if (d->cut[(p - 1) * d->n + i] < d->run[i].bytes) {
				d->place[p]++;
				break;
			}
	}
	for (size_t p = 1; p <= d->parts; p++)
		d->place[p] += d->place[p - 1];
	return 0;
}

/* A run must not have on one side of a pivot what belongs on the other: its
 * last record before the cut was the item of s. */
static bool
within(const struct division *d, size_t p, const struct source *s)
{
	return s->nrec == 0 || p + 1 == d->parts || d->pivot[p + 1] == NULL ||
	    item_compare(d->view, &s->item, &d->pivot[p + 1]->s.item) < 0;
}

static int
merge_part(struct division *d, size_t p, struct hp_err *e)
{
	struct source *s = calloc(d->n, sizeof *s);
	const uint64_t *from = &d->cut[p * d->n], *to = from + d->n;
	struct sink k = { 0 };
	int rc = s == NULL ? hp_fail_errno(e, HP_NOMEM, "merge") : 0;

	for (size_t i = 0; rc == 0 && i < d->n; i++)
		rc = open_part(
		    d, i, from[i], to[i] - from[i], d->buffer, &s[i], e);
	if (rc == 0)
		rc = sink_init(
		    &k, d->to, d->to->at + (off_t)d->place[p], d->buffer, e);
	if (rc == 0)
		rc = merge(d->view, s, d->n, &k, e);
	for (size_t i = 0; rc == 0 && i < d->n; i++)
		if (!within(d, p, &s[i]))
			rc = hp_fail(
			    e, HP_INPUT, "%s: not sorted", d->run[i].name);
	if (rc == 0 && k.bytes != d->place[p + 1] - d->place[p])
		rc = hp_fail(e, HP_INPUT, "an input changed while it was read");
	d->records += k.records;
	for (size_t i = 0; s != NULL && i < d->n; i++)
		source_close(&s[i]);
	sink_fini(&k);
	free(s);
	return rc;
}

static int
merge_worker(void *ctx, unsigned w)
{
	struct division *d = ctx;
	size_t p;

	while ((p = atomic_fetch_add(&d->next, 1)) < d->parts)
		if (merge_part(d, p, &d->err[w]) == -1) {
			d->next = d->parts; /* the others need not go on */
			return -1;
		}
	return 0;
}

/* What is not needed to merge: all samples but the pivots. */
static void
close_samples(struct division *d)
{
	size_t p = 1;

	for (size_t k = 0; k < d->nsamples; k++) {
		if (p == d->parts || d->pivot[p] != &d->sample[k])
			source_close(&d->sample[k].s);
		while (p < d->parts && d->pivot[p] == &d->sample[k])
			p++;
	}
}

static int
divide(struct division *d, struct hp_err *e)
{
	d->cut = calloc((d->parts + 1) * d->n, sizeof *d->cut);
	d->place = calloc(d->parts + 1, sizeof *d->place);
	d->pivot = calloc(d->parts + 1, sizeof(struct sample *));
	d->err = calloc(d->threads + TEAM_SPARE, sizeof *d->err);
	if (d->cut == NULL || d->place == NULL || d->pivot == NULL ||
	    d->err == NULL)
		return hp_fail_errno(e, HP_NOMEM, "merge of %zu", d->n);
	if (choose_pivots(d, e) == -1 || cut(d, e) == -1)
		return -1;
	close_samples(d);
	return in_parallel(d, merge_worker, e);
}

int
merge_divided(const struct view *v, struct store *store,
    const struct extent_run *run, size_t n, unsigned threads, uint64_t memory,
    struct output *to, uint64_t *records, struct hp_err *e)
{
	unsigned workers = threads + TEAM_SPARE;
	struct division d = { .view = v,
		.store = store,
		.run = run,
		.n = n,
		.threads = threads,
		.to = to,
		.buffer = (size_t)(memory / workers / (n + 2)) };
	int rc;

	if (d.buffer > BUFFER_MOST)
		d.buffer = BUFFER_MOST;
	for (size_t i = 0; i < n; i++)
		d.total += run[i].bytes;
	d.parts = (size_t)(d.total / PART_LEAST) + 1;
	if (d.parts > workers * PARTS)
		d.parts = workers * PARTS;
	rc = divide(&d, e);
	*records = d.records;
	if (rc == 0)
		to->at += (off_t)d.place[d.parts];
	for (size_t k = 0; k < d.nsamples; k++)
		source_close(&d.sample[k].s);
	free(d.sample);
	free(d.pivot);
	free(d.cut);
	free(d.place);
	free(d.err);
	return rc;
}
