#include <sys/mman.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sort/numbers.h"

enum {
	ROUND = 1 << 30, /* bytes to count, as addresses are not endless */
	VALUES_MOST = 1 << 20, /* what a cache holds */
	DENSE = 8,	       /* numbers for each value */
	BIN = 1 << 17	       /* bytes of a bin of several values */
};

/* Of a value: a count for each thread, and what they are together. */
static size_t
memory_of(const struct numbers *s)
{
	return s->threads * sizeof *s->count + sizeof *s->total;
}

int
numbers_tally_plan(struct numbers *s, const uint64_t *sample, size_t n,
    uint64_t many, struct hp_err *e)
{
	size_t most = VALUES_MOST, bytes;

	if (s->number.size <= 2)
		s->dense = (struct dense){ 0, (size_t)1 << 8 * s->number.size };
	else {
		while (most > many / DENSE ||
		    most > s->in->cap / 16 / memory_of(s))
			most /= 2;
		s->dense = dense_choose(sample, n, most);
	}
	if (s->dense.values == 0)
		return 0;
	bytes = s->dense.values * memory_of(s);
	s->in->cap -= bytes < s->in->cap / 2 ? bytes : s->in->cap / 2;
	if ((s->total = numbers_memory(bytes)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	s->count = (uint32_t *)(s->total + s->dense.values);
	cells_fini(&s->cells);
	return cells_around(&s->cells, s->dense.low, s->dense.values, e);
}

void
numbers_tally_fini(struct numbers *s)
{
	if (s->total != NULL)
		munmap(s->total, s->dense.values * memory_of(s));
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
	struct scatter *to; /* what lies beside the range */
	_Atomic uint64_t taken;
};

static int
count(void *ctx, unsigned i, const struct block *b)
{
	struct tally *c = ctx;
	struct numbers *s = c->s;
	uint64_t bytes = (uint64_t)(b->end - b->start);

	if (number_count(&s->number, &s->dense, s->count + i * s->dense.values,
		&s->cells, &c->to[i], b->start, b->end) == -1)
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

/* What the threads counted, together. */
static void
add_up(struct numbers *s)
{
	size_t values = s->dense.values;

	for (unsigned w = 0; w < s->threads; w++) {
		uint32_t *n = s->count + w * values;

		for (size_t i = 0; i < values; i++)
			if (n[i] != 0) {
				s->total[i] += n[i];
				n[i] = 0;
			}
	}
}

/* Numbers in a bin of several values. */
static size_t
bin_most(const struct numbers *s)
{
	size_t most = BIN / s->number.element;

	return most < s->leaf ? most : s->leaf;
}

/* Bins of the values that there are, of several while they hold few numbers;
 * the others of a unique value are forgotten. */
static void
tally_bins(struct numbers *s)
{
	size_t most = bin_most(s);
	struct bin *b = NULL;

	for (size_t i = 0; i < s->dense.values; i++) {
		s->records += s->total[i];
		if (s->unique && s->total[i] > 1)
			s->total[i] = 1;
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

/* What was counted, between what lies below and above. */
static int
all_bins(struct numbers *s, const struct scatter *to, struct hp_err *e)
{
	uint64_t n = 0;
	struct bin beside[2];

	add_up(s);
	for (size_t i = 0; i < s->dense.values; i++)
		n += s->total[i];
	n = 2 * (n / bin_most(s)) +
	    4; /* two neighbours hold more than the most */
	s->bin = calloc(
	    n < s->dense.values + 2 ? n : s->dense.values + 2, sizeof *s->bin);
	if (s->bin == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	if (numbers_bins(s, to, &s->cells, beside, e) == -1)
		return -1;
	s->bin[0] = beside[0];
	s->nbins = 1;
	s->records = beside[0].n + beside[1].n;
	tally_bins(s);
	s->bin[s->nbins++] = beside[1];
	return 0;
}

int
numbers_tally(struct numbers *s, struct hp_err *e)
{
	struct tally c = { .s = s };
	int rc = -1;

	s->bytes = 0;
	if ((c.to = numbers_scatters_new(s, &s->cells, e)) == NULL)
		return -1;
	do {
		if (s->bytes > 0) {
			add_up(s);
			input_forget(s->in);
		}
		c.taken = 0;
		if (numbers_team(s, tally_worker, &c, e) == -1)
			goto out;
		s->bytes += s->in->given;
	} while (s->more && s->arena.used <= s->in->cap / 2);
	if (numbers_scatters_close(s, c.to, e) == 0 &&
	    all_bins(s, c.to, e) == 0)
		rc = s->more;
out:
	numbers_scatters_free(s, c.to);
	return rc;
}
