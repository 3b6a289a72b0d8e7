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
	 * number of the bucket of each record, by record number; NULL: the
	 * engine does not work in rounds
	 */
	uint16_t *to;
	size_t *n;    /* number of records in each bucket */
	size_t share; /* bytes to copy per round */
	/* range of buckets of this round; 0, 0 in the first pass */
	size_t from, end;
};

/* Decides whether rounds are worthwhile. Call it after buckets_plan. */
int rounds_plan(struct buckets *, struct hp_err *);
void rounds_fini(struct rounds *);

/* Returns whether this is the first pass. */
static inline bool
rounds_noting(const struct rounds *r)
{
	return r->to != NULL && r->end == 0;
}

/*
 * Used in the first pass: notes the buckets of the records in the reader's
 * block.
 */
int rounds_note(struct reader *);
/* Called after the first pass: adds up the counts of all threads. */
void rounds_count(struct buckets *, const struct pile *);
/* Starts the next round. Returns the bytes of its records, or 0 at the end. */
size_t rounds_next(struct buckets *);
/* Used in later passes: copies this round's records from the reader's block. */
int rounds_move(struct reader *);

#endif
