#include <stdatomic.h>
#include <stdlib.h>

#include "sort/numbers.h"

enum {
	ROUND = 1 << 30 /* bytes to count, as addresses are not endless */
};

struct tally {
	struct numbers *s;
	size_t keys;
	uint64_t *count; /* of each key, for each thread */
	_Atomic uint64_t taken;
};

static int
count(void *ctx, unsigned i, const struct block *b)
{
	struct tally *c = ctx;
	uint64_t bytes = (uint64_t)(b->end - b->start);

	number_count(&c->s->number, b->start, b->end, c->count + i * c->keys);
	return atomic_fetch_add(&c->taken, bytes) + bytes > ROUND;
}

static int
tally_worker(void *ctx, unsigned i)
{
	struct tally *c = ctx;

	return numbers_blocks(c->s, i, count, c);
}

/* A bin for each key that there is. */
static int
tally_bins(struct numbers *s, const struct tally *c, struct hp_err *e)
{
	s->nbins = 0;
	if ((s->bin = calloc(c->keys, sizeof *s->bin)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	for (size_t key = 0; key < c->keys; key++) {
		struct bin *b = &s->bin[s->nbins];

		*b = (struct bin){ .equal = true, .key = key };
		for (unsigned i = 0; i < s->threads; i++)
			b->n += c->count[i * c->keys + key];
		s->records += b->n;
		s->nbins += b->n > 0;
	}
	return 0;
}

int
numbers_tally(struct numbers *s, struct hp_err *e)
{
	struct tally c = { .s = s, .keys = (size_t)1 << 8 * s->number.size };
	int rc = -1;

	c.count = calloc(s->threads * c.keys, sizeof *c.count);
	if (c.count == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	s->records = s->bytes = 0;
	do {
		c.taken = 0;
		if (numbers_team(s, tally_worker, &c, e) == -1)
			goto out;
		s->bytes += s->in->given;
		input_forget(s->in);
	} while (s->more);
	rc = tally_bins(s, &c, e);
out:
	free(c.count);
	return rc;
}
