#include <stdatomic.h>
#include <stdlib.h>

#include "base/team.h"
#include "run/cuts.h"
#include "run/pivots.h"
#include "run/probe.h"

enum {
	/*
	 * Maximum length in bytes of a record for a merge by several threads.
	 * With longer records, a merge by one thread is faster.
	 */
	PROBE_MOST = 1 << 20,
	/*
	 * The binary search ends when at most this many bytes are left, and
	 * these bytes are read in order. Reading them takes as long as a few
	 * more search steps: on a disk, or in the page cache.
	 */
	WALK = 1 << 16,
	WALK_CACHED = 1 << 14
};

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

static size_t
walk_of(const struct extent_run *r)
{
	return r->cached ? WALK_CACHED : WALK;
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
		rc = probe_open(
		    c, i, low, r->bytes - low, walk_of(r) + PROBE_BYTES, &s, e);
	while (
	    rc == 0 && *found < high && (rc = probe_next(c, r, &s, e)) == 0) {
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
	while (rc == 0 && low + walk_of(&c->run[i]) < high) {
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

	/*
	 * There are a few more threads than processors, because the threads
	 * mostly wait for the disk.
	 */
	c->next = 0;
	if (team_run_spare(c->threads, cut_worker, c, e) == -1)
		return team_error(c->err, c->threads + TEAM_SPARE, e);
	for (size_t i = 0; i < c->n; i++)
		at[c->parts * c->n + i] = c->run[i].bytes;
	for (size_t k = c->n; k < (c->parts + 1) * c->n; k++)
		if (at[k] < at[k - c->n]) /* only if the run is not sorted */
			return hp_fail(e, HP_INPUT, "%s: not sorted",
			    c->run[k % c->n].name);
	return 0;
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
	 * Half of the memory is for samples, a quarter for read buffers. A read
	 * buffer grows by doubling, so it may become twice as long as its
	 * record. So the longest records of all threads together may take an
	 * eighth of the memory.
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
	if (pivots_choose(c, e) == -1 || cut(c, e) == -1)
		return -1;
	pivots_close_others(c);
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
