/*
 * Records that are moved to their buckets take as much memory again as the
 * input has, and to touch memory for the first time may take longer than to
 * sort what is in it.  So, of a mapped input the first walk only notes the
 * bucket of each record; then the records of some buckets are moved, sorted
 * and written, and the next ones are moved to the same memory.
 */
#include <stdlib.h>

#include "base/size.h"
#include "bucket/buckets.h"

enum {
	ROUNDS = 8,
	FEWEST = 4,	  /* for fewer, it is not worth it */
	SHARE = 16 << 20, /* bytes for each thread that a round is worth */
	NOTES_PART = 4	  /* of the input, that notes may take at most */
};

int
rounds_plan(struct buckets *b, struct hp_err *e)
{
	struct rounds *r = &b->rounds;
	struct input *in = b->in;
	size_t records = in->reserved / b->element + 1;
	size_t notes = records * sizeof *r->to;
	uint64_t most;

	r->share = size_clamp(in->total / ROUNDS + 1,
	    size_clamp((uint64_t)b->threads * SHARE, 1, in->cap / ROUNDS),
	    SIZE_MAX);
	most = in->total + notes + 2 * r->share;
	if (!b->moved || !in->mapped || in->total < FEWEST * r->share ||
	    notes > in->total / NOTES_PART || most > in->cap)
		return 0;
	r->to = calloc(records, sizeof *r->to);
	r->n = calloc(b->plan.n, sizeof *r->n);
	if (r->to == NULL || r->n == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	/* All has its place, and need not be looked after. */
	in->passing = false;
	in->cap = SIZE_MAX;
	return 0;
}

void
rounds_fini(struct rounds *r)
{
	free(r->to);
	free(r->n);
	*r = (struct rounds){ 0 };
}

void
rounds_count(struct buckets *b, const struct pile *pile)
{
	for (size_t i = 0; i < b->plan.n; i++)
		for (unsigned w = 0; w < b->threads; w++)
			b->rounds.n[i] += pile[w].list[i].n;
}

/* The buckets of the next round, and how many bytes are in them. */
static size_t
next_buckets(struct buckets *b)
{
	struct rounds *r = &b->rounds;
	size_t bytes = 0;

	r->from = r->end;
	while (r->end < b->plan.n && bytes < r->share)
		bytes += r->n[r->end++] * b->element;
	return bytes;
}

int
rounds_write(
    struct buckets *b, struct output *out, uint64_t *records, struct hp_err *e)
{
	size_t bytes;
	uint64_t n;

	for (*records = 0; (bytes = next_buckets(b)) > 0; *records += n) {
		/* One bucket may have most of the records: then the memory is
		 * theirs. */
		bool much = bytes > 2 * b->rounds.share;

		input_again(b->in, much);
		if (buckets_fill(b, e) == -1 ||
		    buckets_sort(b, out, &n, e) == -1)
			return -1;
		if (much)
			arena_trim(&b->arena);
	}
	return 0;
}
