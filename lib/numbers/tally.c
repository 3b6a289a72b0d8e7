#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "input/blocks.h"
#include "numbers/bins.h"
#include "numbers/leaves.h"
#include "numbers/phase.h"
#include "numbers/tally.h"

enum {
	/*
	 * After this many bytes of input, the memory that holds the text of the
	 * input is released.
	 */
	ROUND = 1 << 30,
	/*
	 * maximum number of values to count: their counts must fit into the
	 * cache
	 */
	VALUES_MOST = 1 << 20,
	DENSE = 8, /* least numbers per value */
	/*
	 * maximum size in bytes of the numbers in a bin; equal numbers stay in
	 * one bin, even if they take more
	 */
	BIN = 1 << 17
};

/*
 * Returns the number of elements in one thread's array of counts: one for each
 * value, then a cache line, whose first element counts the numbers outside the
 * range.
 */
static size_t
stride(size_t values)
{
	return values + LINE / sizeof(uint32_t);
}

/*
 * Returns the size in bytes of all counts: the sums over all threads, and the
 * counts of each thread.
 */
static size_t
bytes_of(const struct numbers *s, size_t values)
{
	return values * sizeof *s->total +
	    s->threads * stride(values) * sizeof *s->count;
}

static void
choose(struct numbers *s, const uint64_t *sample, size_t n, uint64_t many)
{
	size_t most = VALUES_MOST;

	while (most > 1 &&
	    (most > many / DENSE || bytes_of(s, most) > s->in->cap / 16))
		most /= 2;
	s->dense = dense_choose(sample, n, most);
}

int
numbers_tally_plan(struct numbers *s, uint64_t *sample, size_t n, uint64_t many,
    struct hp_err *e)
{
	size_t bytes, above = n, want;

	if (s->number.size <= 2)
		s->dense = (struct dense){ 0, (size_t)1 << 8 * s->number.size };
	else
		choose(s, sample, n, many);
	if (s->dense.values == 0)
		return 0;
	bytes = bytes_of(s, s->dense.values);
	s->in->cap -= bytes < s->in->cap / 2 ? bytes : s->in->cap / 2;
	if ((s->total = space_take(bytes)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	memset(s->total, 0, bytes);
	s->count = (uint32_t *)(s->total + s->dense.values);
	while (above > 0 && sample[above - 1] > s->dense.low &&
	    !dense_has(&s->dense, sample[above - 1]))
		above--;
	want = s->want * (n - above) / (n + 1) + 1;
	cells_fini(&s->cells);
	return cells_init(&s->cells, sample + above, n - above, want, e);
}

void
numbers_tally_fini(struct numbers *s)
{
	if (s->total != NULL)
		space_give(s->total, bytes_of(s, s->dense.values));
	s->total = NULL;
}

void
numbers_tally_forget(struct numbers *s)
{
	if (s->total != NULL)
		memset(s->total, 0, s->dense.values * sizeof *s->total);
}

struct tally {
	struct numbers *s;
	struct scatter *to; /* for the numbers outside the range */
	_Atomic uint64_t taken;
};

static int
count(void *ctx, unsigned i, const struct block *b)
{
	struct tally *c = ctx;
	struct numbers *s = c->s;
	uint64_t bytes = (uint64_t)(b->end - b->start);

	if (number_count(&s->number, &s->dense,
		s->count + i * stride(s->dense.values), &s->cells, &c->to[i],
		b->start, b->end) == -1)
		return numbers_no_memory(s, i);
	return atomic_fetch_add(&c->taken, bytes) + bytes > ROUND;
}

static int
tally_worker(void *ctx, unsigned i)
{
	struct tally *c = ctx;
	int rc = numbers_blocks(c->s, i, count, c);

	scatter_fence();
	return rc;
}

/*
 * Adds the counts of all threads to the totals. Sets the threads' counts to 0.
 */
static void
add_up(struct numbers *s)
{
	size_t values = s->dense.values;

	for (unsigned w = 0; w < s->threads; w++) {
		uint32_t *n = s->count + w * stride(values);

		for (size_t i = 0; i < values; i++)
			if (n[i] != 0) {
				s->total[i] += n[i];
				n[i] = 0;
			}
	}
}

/*
 * Returns the maximum number of numbers in a bin. Only a bin of equal numbers
 * may have more.
 */
static size_t
bin_most(const struct numbers *s)
{
	size_t most = BIN / s->number.element;

	return most < s->leaf ? most : s->leaf;
}

/*
 * Makes bins of the values that were counted. Adjacent values share a bin while
 * it has few numbers. With -u, equal numbers count as one number.
 */
static void
tally_bins(struct numbers *s)
{
	size_t most = bin_most(s);
	struct bin *b = NULL;

	for (size_t i = 0; i < s->dense.values; i++) {
		s->batch.records += s->total[i];
		if (s->unique && s->total[i] > 1) {
			numbers_drop(s, &s->batch.dropped, s->dense.low + i,
			    s->total[i] - 1);
			s->total[i] = 1;
		}
		if (s->total[i] == 0)
			continue;
		if (b == NULL || b->n + s->total[i] > most) {
			b = &s->bin[s->nbins++];
			*b = (struct bin){ .key = s->dense.low + i,
				.count = s->total + i };
		}
		b->n += s->total[i];
		b->values = (size_t)(s->total + i + 1 - b->count);
	}
}

/*
 * Makes the bins (key ranges) of all numbers. The numbers in the range s->dense
 * were only counted. The bins are in the order of the keys: first the numbers
 * below this range, then those in it, then those above it.
 */
static int
all_bins(struct numbers *s, const struct scatter *to, struct hp_err *e)
{
	size_t above = s->cells.buckets;
	struct bin *beside = calloc(above + 1, sizeof *beside);
	uint64_t n = 0;
	int rc = -1;

	add_up(s);
	for (size_t i = 0; i < s->dense.values; i++)
		n += s->total[i];
	/*
	 * Allocate enough bins for tally_bins. It begins a new bin only if the
	 * next value does not fit into the last one. So any two adjacent bins
	 * together have more than bin_most numbers.
	 */
	n = 2 * (n / bin_most(s)) + 2;
	n = n < s->dense.values ? n : s->dense.values;
	s->bin = calloc(n + above + 1, sizeof *s->bin);
	if (s->bin == NULL || beside == NULL)
		hp_fail_errno(e, HP_NOMEM, "sort");
	else if ((rc = numbers_bins(s, to, &s->cells, beside, e)) == 0) {
		s->bin[0] = beside[above];
		s->nbins = 1;
		tally_bins(s);
		memcpy(s->bin + s->nbins, beside, above * sizeof *beside);
		s->nbins += above;
		for (size_t i = 0; i <= above; i++)
			s->batch.records += beside[i].n;
	}
	free(beside);
	return rc;
}

int
numbers_tally(struct numbers *s, struct hp_err *e)
{
	struct tally c = { .s = s };
	int rc = -1;

	s->batch.records = s->batch.bytes = 0;
	if ((c.to = numbers_scatters_new(s, &s->cells, e)) == NULL)
		return -1;
	do {
		if (s->batch.bytes > 0) {
			add_up(s);
			input_forget(s->in);
		}
		c.taken = 0;
		if (numbers_team(s, tally_worker, &c, e) == -1)
			goto out;
		s->batch.bytes += s->in->given;
	} while (s->more && s->arena.used <= s->in->cap / 2);
	if (numbers_scatters_close(s, c.to, e) == 0 &&
	    all_bins(s, c.to, e) == 0)
		rc = s->more;
out:
	numbers_scatters_free(s, c.to);
	return rc;
}
