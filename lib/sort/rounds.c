/*
 * Records that are moved to their buckets take as much memory again as the
 * input has, and to touch memory for the first time may take longer than to
 * sort what is in it.  So, of a mapped input the first walk only notes the
 * bucket of each record; then the records of some buckets are moved, sorted
 * and written, and the next ones are moved to the same memory.
 *
 * One thread at a time writes (output.h); another one that has something to
 * write meanwhile moves records of the next round, to where those were that are
 * written already.
 */
#include <stdlib.h>

#include "base/size.h"
#include "sort/batch.h"

enum {
	ROUNDS = 8,
	FEWEST = 4,	  /* for fewer, it is not worth it */
	SHARE = 16 << 20, /* bytes for each thread that a round is worth */
	NOTES_PART = 4,	  /* of the input, that notes may take at most */
	BLOCK = 1 << 18	  /* bytes that are moved between two writes */
};

int
rounds_plan(struct batch *b, struct hp_err *e)
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
	r->tight = most + 2 * r->share > in->cap;
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
rounds_fini(struct batch *b)
{
	reading_fini(&b->rounds.next, b);
	free(b->rounds.to);
	free(b->rounds.n);
	b->rounds = (struct rounds){ 0 };
}

int
rounds_note(struct batch *b, struct hp_err *e)
{
	struct reading all;
	int rc = -1;

	if (reading_init(&all, b, e) == 0)
		rc = reading_rest(&all, b, e);
	for (size_t i = 0; rc == 0 && i < b->plan.n; i++)
		for (unsigned w = 0; w < b->threads; w++)
			b->rounds.n[i] += all.pile[w].list[i].n;
	reading_fini(&all, b);
	b->in->block = BLOCK;
	b->records = b->in->given / b->element;
	return rc;
}

/* Some more buckets: how many bytes are in them. */
static size_t
next_buckets(struct batch *b)
{
	struct rounds *r = &b->rounds;
	size_t bytes = 0;

	r->from = r->end;
	while (r->end < b->plan.n && bytes < r->share)
		bytes += r->n[r->end++] * b->element;
	return bytes;
}

/* 1 when there is one. */
static int
next_round(struct batch *b, struct hp_err *e)
{
	struct rounds *r = &b->rounds;
	bool before = r->much;
	size_t bytes = next_buckets(b);

	reading_fini(&r->next, b);
	/* One bucket may have most of the records: the memory is theirs. */
	r->much = bytes > 2 * r->share;
	r->alone = r->tight || r->much || before;
	if (bytes == 0)
		return 0;
	/* What is not needed again goes while it is moved. */
	input_again(b->in, r->much || r->end == b->plan.n);
	return reading_init(&r->next, b, e) == -1 ? -1 : 1;
}

int
rounds_meanwhile(struct batch *b, unsigned thread)
{
	struct rounds *r = &b->rounds;

	if (r->next.reader == NULL || r->alone)
		return 0;
	return reading_step(&r->next, b, thread);
}

void
rounds_leave(struct batch *b, const struct bucket *k, size_t n)
{
	struct chunk *chain = NULL, *c, *next;

	if (b->rounds.to == NULL)
		return;
	for (const struct bucket *end = k + n; k < end; k++)
		for (unsigned w = 0; w < b->threads; w++)
			for (c = k->list[w].first; c != NULL; c = next) {
				next = c->next;
				c->next = chain;
				chain = c;
			}
	arena_give_back(&b->arena, chain);
}

int
rounds_write(
    struct batch *b, struct output *out, uint64_t *records, struct hp_err *e)
{
	struct rounds *r = &b->rounds;
	uint64_t n;
	bool much;
	int more;

	*records = 0;
	for (more = next_round(b, e); more == 1; *records += n) {
		much = r->much;
		if (batch_fill(b, &r->next, e) == -1 ||
		    (more = next_round(b, e)) == -1 ||
		    batch_sort(b, out, &n, e) == -1)
			return -1;
		if (much) {
			batch_forget(b);
			arena_trim(&b->arena);
		}
	}
	return more;
}
