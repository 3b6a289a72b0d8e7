#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "bucket/engine.h"
#include "bucket/moved.h"
#include "bucket/reader.h"
#include "bucket/rounds.h"
#include "kernel/walk.h"

enum {
	ROUNDS = 8,
	/*
	 * Sorting in rounds needs an extra pass over the input, so it is used
	 * only if there are at least this many rounds.
	 */
	FEWEST = 4,
	/*
	 * Least bytes in a round, and per thread in a round. If memory is not
	 * short, rounds are slower for inputs below FEWEST * SHARE bytes: new
	 * memory of this size costs less than the extra pass.
	 */
	SHARE = 128 << 20,
	THREAD_SHARE = 16 << 20,
	/*
	 * The array with the bucket number of each record may take at most 1/4
	 * of the input's size.
	 */
	NOTES_PART = 4,
	STEP = 1 << 12, /* number of bucket numbers scanned at once */
	AHEAD = 16	/* prefetch distance, in records */
};

int
rounds_plan(struct buckets *b, struct hp_err *e)
{
	struct rounds *r = &b->rounds;
	struct input *in = b->in;
	size_t records = in->reserved / b->element + 1;
	size_t notes = records * sizeof *r->to;
	uint64_t most, least = (uint64_t)b->threads * THREAD_SHARE;

	least = least > SHARE ? least : SHARE;
	r->share = size_clamp(in->total / ROUNDS + 1,
	    size_clamp(least, 1, in->cap / ROUNDS), SIZE_MAX);
	most = in->total + notes + 2 * r->share;
	if (b->kind != &kind_moved || !in->mapped ||
	    in->total < FEWEST * r->share || notes > in->total / NOTES_PART ||
	    most > in->cap)
		return 0;
	r->to = calloc(records, sizeof *r->to);
	r->n = calloc(b->division.n, sizeof *r->n);
	if (r->to == NULL || r->n == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	/*
	 * The memory can hold the whole input, the bucket number of each
	 * record, and the records of one round. So the input stays in memory
	 * for all rounds.
	 */
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

/*
 * Returns the part of the array of bucket numbers for the records in the
 * reader's block.
 */
static uint16_t *
notes(const struct reader *r)
{
	const struct buckets *b = r->buckets;

	return b->rounds.to +
	    (size_t)(r->block.start - b->in->base) / b->element;
}

int
rounds_note(struct reader *r)
{
	const struct buckets *b = r->buckets;
	const unsigned char *s = r->block.start;
	uint16_t *to = notes(r);
	size_t n;

	for (; s < r->block.end; to += n) {
		for (n = 0; n < TREE_MANY && s < r->block.end; n++) {
			r->key[n] = view_slice(
			    &b->view, (struct span){ s, b->element });
			s += b->element;
		}
		tree_find_many(&b->division.tree, r->key, n, to);
		for (size_t i = 0; i < n; i++)
			r->pile->list[to[i]].n++;
	}
	return 0;
}

void
rounds_count(struct buckets *b, const struct pile *pile)
{
	for (size_t i = 0; i < b->division.n; i++)
		for (unsigned w = 0; w < b->threads; w++)
			b->rounds.n[i] += pile[w].list[i].n;
}

size_t
rounds_next(struct buckets *b)
{
	struct rounds *r = &b->rounds;
	size_t bytes = 0;

	r->from = r->end;
	while (r->end < b->division.n && bytes < r->share)
		bytes += r->n[r->end++] * b->element;
	return bytes;
}

/*
 * A round copies only the records of some buckets. to[i] is the bucket number
 * of record i. Stores in `mine` the indices of those of the n records that this
 * round copies, and returns their number. Appends AHEAD zeros, so that the
 * caller can prefetch later records without a check for the end of the array.
 */
static size_t
select_noted(
    const struct rounds *r, const uint16_t *to, size_t n, uint16_t *mine)
{
	uint16_t from = (uint16_t)r->from, many = (uint16_t)(r->end - r->from);
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		mine[k] = (uint16_t)i;
		k += (uint16_t)(to[i] - from) < many;
	}
	for (size_t i = 0; i < AHEAD; i++)
		mine[k + i] = 0;
	return k;
}

int
rounds_move(struct reader *r)
{
	const struct buckets *b = r->buckets;
	const unsigned char *s = r->block.start, *at;
	const uint16_t *to = notes(r);
	size_t left = (size_t)(r->block.end - s) / b->element, n, k;
	uint16_t mine[STEP + AHEAD];
	void *copy;

	for (; left > 0; left -= n, s += n * b->element, to += n) {
		n = left < STEP ? left : STEP;
		k = select_noted(&b->rounds, to, n, mine);
		for (size_t i = 0; i < k; i++) {
			/*
			 * Prefetch into the L2 cache, because the processor can
			 * have more outstanding loads there than in L1.
			 */
			at = s + mine[i + AHEAD] * b->element;
			__builtin_prefetch(at, 0, 2);
			__builtin_prefetch(at + 64, 0, 2);
			__builtin_prefetch(at + b->element - 1, 0, 2);
			copy = pile_put(r->pile, to[mine[i]], b->element);
			if (copy == NULL)
				return -1;
			memcpy(copy, s + mine[i] * b->element, b->element);
		}
	}
	return 0;
}
