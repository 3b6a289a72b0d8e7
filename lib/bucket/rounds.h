#ifndef HP_BUCKET_ROUNDS_H
#define HP_BUCKET_ROUNDS_H

/*
 * Moving records to their buckets in rounds, which take less memory.
 *
 * Records that are moved take as much memory again as the input.  To touch
 * memory for the first time may take longer than to sort what is in it.  So, if
 * the input is mapped, the first pass over it only notes the bucket of each
 * record.  Then the records of some buckets are moved, sorted and written, and
 * the next ones are moved to the same memory.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct buckets;
struct pile;
struct reader;

struct rounds {
	uint16_t *to;	  /* the bucket of each record, by its number; NULL: no
			     rounds */
	size_t *n;	  /* records in each bucket */
	size_t share;	  /* bytes to move in a round */
	size_t from, end; /* the buckets of this round; 0, 0 while noting */
};

/* Decides whether rounds are worth it, for an engine that has its plan. */
int rounds_plan(struct buckets *, struct hp_err *);
void rounds_fini(struct rounds *);

/* Is this the first pass? */
static inline bool
rounds_noting(const struct rounds *r)
{
	return r->to != NULL && r->end == 0;
}

/* In the first pass, notes the records of the reader's block. */
int rounds_note(struct reader *);
/* After it, adds up what each thread has noted. */
void rounds_count(struct buckets *, const struct pile *);
/* Begins the next round.  Returns the bytes of its records, 0 at the end. */
size_t rounds_next(struct buckets *);
/* In a round, moves its records out of the reader's block. */
int rounds_move(struct reader *);

#endif
