#ifndef HP_BUCKET_ROUNDS_H
#define HP_BUCKET_ROUNDS_H

/*
 * Moves records to their buckets in rounds, which saves memory.
 *
 * Records that are copied to their buckets need as much memory again as the
 * input. Touching new memory can take longer than sorting what is in it. So if
 * the input is mapped, the first pass only notes the bucket of each record.
 * Each round then copies, sorts and writes the records of some buckets, and the
 * next round reuses the memory.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct buckets;
struct pile;
struct reader;

struct rounds {
	/*
	 * to[i] is the number of the bucket of record i; NULL: all buckets are
	 * filled in one pass, not in rounds
	 */
	uint16_t *to;
	size_t *n;    /* number of records in each bucket */
	size_t share; /* bytes to copy per round */
	/*
	 * The current round sorts the buckets with the numbers `from` up to,
	 * but not including, `end`. Both are 0 in the first pass over the
	 * input, which sorts no bucket.
	 */
	size_t from, end;
};

/*
 * Decides whether to sort the records in rounds. Call this function after
 * buckets_plan.
 */
int rounds_plan(struct buckets *, struct hp_err *);
void rounds_fini(struct rounds *);

/* Returns whether this is the first pass. */
static inline bool
rounds_noting(const struct rounds *r)
{
	return r->to != NULL && r->end == 0;
}

/*
 * Used in the first pass over the input: stores the bucket number of each
 * record in the reader's block.
 */
int rounds_note(struct reader *);
/*
 * Adds up how many records each bucket has, over all threads. Call this
 * function after the first pass over the input.
 */
void rounds_count(struct buckets *, const struct pile *);
/*
 * Chooses the buckets whose records the next round copies and sorts. Returns
 * the number of bytes that it copies, or 0 if no buckets are left.
 */
size_t rounds_next(struct buckets *);
/*
 * Used in later passes over the input: copies the records in the reader's block
 * whose buckets are sorted in this round.
 */
int rounds_move(struct reader *);

#endif
