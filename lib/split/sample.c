#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "record/decode.h"
#include "record/key.h"
#include "record/keybuf.h"
#include "split/sample.h"

/*
 * Returns the start of the random sequence of one node, so that nodes with the
 * same seed draw different numbers.
 */
static uint64_t
first_state(const struct sampling *s)
{
	return s->seed ^ random_next(&(struct random){ s->rank });
}

/* Returns a random number below n. All numbers are equally likely. */
static uint64_t
random_below(struct random *r, uint64_t n)
{
	uint64_t reject = -n % n, x;

	do
		x = random_next(r);
	while (x < reject);
	return x % n;
}

/* Returns a random number between 0 and 1, but never 0 or 1 itself. */
static double
random_unit(struct random *r)
{
	return ((double)(random_next(r) >> 12) + 0.5) * 0x1p-52;
}

static int
by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Draws `count` different random positions. Repeatedly draws as many as are
 * missing and removes duplicates.
 */
static void
draw_distinct(uint64_t n, uint64_t count, struct random *r, uint64_t *out)
{
	uint64_t have = 0, kept;

	while (have < count) {
		for (; have < count; have++)
			out[have] = random_below(r, n);
		qsort(out, count, sizeof *out, by_value);
		kept = 1;
		for (uint64_t i = 1; i < count; i++)
			if (out[i] != out[i - 1])
				out[kept++] = out[i];
		have = kept;
	}
}

int
sample_positions(uint64_t n, uint64_t count, uint64_t seed, uint64_t *out)
{
	uint64_t left = n - count, *without, skip = 0, have = 0;
	struct random r = { seed };

	if (count <= n / 2) {
		draw_distinct(n, count, &r, out);
		return 0;
	}
	/*
	 * If more than half of the positions are wanted, draw the unwanted
	 * positions instead.
	 */
	without = reallocarray(NULL, left + 1, sizeof *without);
	if (without == NULL)
		return -1;
	draw_distinct(n, left, &r, without);
	for (uint64_t i = 0; i < n; i++) {
		if (skip < left && without[skip] == i)
			skip++;
		else
			out[have++] = i;
	}
	free(without);
	return 0;
}

static int
add_key(const struct sampling *s, const struct key *key, uint64_t index,
    struct pivots *out, struct hp_err *e)
{
	const struct pivot place = { .rank = s->rank,
		.index = index,
		.text = order_keeps_text(s->order) };

	return pivots_add_key(out, key, &place, e);
}

static int
add_record(const struct sampling *s, const struct records *r, uint64_t index,
    struct records_view *v, struct keybuf *buf, struct hp_err *e)
{
	struct span record;
	uint64_t next;
	struct key key;

	if (records_get(r, v, records_offset(r, index), &record, &next, e) ==
	    -1)
		return -1;
	if (order_key(s->order, record.at, record.len, buf, &key) == -1)
		return hp_fail(
		    e, HP_NOMEM, "%s: record %" PRIu64, r->name, index + 1);
	return add_key(s, &key, index, s->found, e);
}

int
sample_regular(const struct sampling *s, const struct records *r,
    uint64_t count, struct hp_err *e)
{
	const struct pivots *l = s->found;
	struct records_view view = { 0 };
	struct keybuf buf = { 0 };
	size_t first = l->n;
	int rc = -1;

	if (count > r->n)
		count = r->n;
	records_expect(r, count);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t index = (uint64_t)((unsigned __int128)(2 * i + 1) *
		    r->n / (2 * count));

		if (add_record(s, r, index, &view, &buf, e) == -1)
			goto out;
		if (l->n > first + 1 &&
		    pivot_cmp(&l->v[l->n - 2], &l->v[l->n - 1]) > 0) {
			hp_fail(e, HP_INPUT,
			    "%s: record %" PRIu64
			    " sorts before an earlier record: not sorted",
			    r->name, r->header + index + 1);
			goto out;
		}
	}
	rc = 0;
out:
	keybuf_fini(&buf);
	return rc;
}

int
sample_every(const struct sampling *s, const struct records *r, uint64_t first,
    uint64_t end, uint64_t every, struct hp_err *e)
{
	struct records_view view = { 0 };
	struct keybuf buf = { 0 };
	int rc = 0;

	if (first < end)
		records_expect(r, (end - first) / every);
	for (uint64_t i = first; rc == 0 && i < end; i += every)
		rc = add_record(s, r, i, &view, &buf, e);
	keybuf_fini(&buf);
	return rc;
}

int
sample_random(const struct sampling *s, const struct records *r, uint64_t count,
    struct hp_err *e)
{
	struct records_view view = { 0 };
	struct keybuf buf = { 0 };
	uint64_t *at;
	int rc = -1;

	if (count > r->n)
		count = r->n;
	at = reallocarray(NULL, count + 1, sizeof *at);
	if (at == NULL ||
	    sample_positions(r->n, count, first_state(s), at) == -1) {
		hp_fail(e, HP_NOMEM, "%" PRIu64 " candidates", count);
		goto out;
	}
	records_expect(r, count);
	for (uint64_t i = 0; i < count; i++)
		if (add_record(s, r, at[i], &view, &buf, e) == -1)
			goto out;
	rc = 0;
out:
	keybuf_fini(&buf);
	free(at);
	return rc;
}

static int
by_index(const void *a, const void *b)
{
	const struct pivot *x = a, *y = b;

	return (x->index > y->index) - (x->index < y->index);
}

/* A random sample of the records that were read so far, in random order. */
struct reservoir {
	struct random random;
	uint64_t count;	 /* size of the sample */
	uint64_t enters; /* number of the next record that enters the sample */
	double w;	 /* largest of `count` uniform random numbers */
	struct pivots in;
};

/*
 * Offers a record to the sample. The first `count` records fill it. Later, some
 * records replace a random record of the sample. The number of records before
 * the next such record is drawn as one random number (Li 1994, algorithm L).
 */
static int
enter(struct reservoir *v, const struct sampling *s, const struct key *key,
    uint64_t index, struct hp_err *e)
{
	uint64_t slot;
	double skip;

	if (add_key(s, key, index, &v->in, e) == -1)
		return -1;
	if (v->in.n > v->count) {
		slot = random_below(&v->random, v->count);
		pivot_fini(&v->in.v[slot]);
		v->in.v[slot] = v->in.v[--v->in.n];
	}
	v->enters = index + 1;
	if (v->in.n < v->count)
		return 0;
	v->w *= exp(log(random_unit(&v->random)) / (double)v->count);
	skip = floor(log(random_unit(&v->random)) / log1p(-v->w));
	v->enters = skip < 0x1p53 ? v->enters + (uint64_t)skip : UINT64_MAX;
	return 0;
}

/*
 * Moves the sample to the list `out`, sorted by the position of the records in
 * the input.
 */
static int
hand_over(struct pivots *in, struct pivots *out, struct hp_err *e)
{
	int rc = 0;

	if (in->n > 0)
		qsort(in->v, in->n, sizeof *in->v, by_index);
	for (size_t i = 0; rc == 0 && i < in->n; i++) {
		rc = pivots_add(out, in->v[i], e);
		in->v[i] = (struct pivot){ 0 };
	}
	return rc;
}

int
sample_stream(const struct sampling *s, struct reader *r, uint64_t count,
    struct hp_err *e)
{
	struct reservoir v = { .random = { first_state(s) },
		.count = count,
		.enters = count > 0 ? 0 : UINT64_MAX,
		.w = 1 };
	struct keybuf buf = { 0 };
	const unsigned char *record;
	struct key key;
	size_t len;
	int got;

	for (uint64_t i = 0; (got = reader_next(r, &record, &len, e)) == 1;
	     i++) {
		if (i < v.enters)
			continue;
		if (order_key(s->order, record, len, &buf, &key) == -1)
			got = hp_fail(
			    e, HP_NOMEM, "%s: record %" PRIu64, r->name, i + 1);
		else
			got = enter(&v, s, &key, i, e);
		if (got == -1)
			break;
	}
	if (got == 0)
		got = hand_over(&v.in, s->found, e);
	pivots_fini(&v.in);
	keybuf_fini(&buf);
	return got;
}
