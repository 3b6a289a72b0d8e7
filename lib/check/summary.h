#ifndef HP_CHECK_SUMMARY_H
#define HP_CHECK_SUMMARY_H

/*
 * The summary of a sequence of records: counts, checksum, first and last key.
 * With the checksum of the input it proves that a sort is correct. Summaries of
 * consecutive sequences can be combined into one without reading the records
 * again. The design follows valsort's partition summaries (Nyberg 2009).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sum.h"
#include "record/order.h"

/* A copy of a normalized key (record/order.h). */
struct summary_key {
	unsigned char *bytes;
	size_t len, primary, cap;
};

struct summary {
	uint64_t records, bytes; /* bytes include the delimiters of lines */
	struct sum checksum;
	/* how many records have the same key as the record before */
	uint64_t duplicates;
	uint64_t unordered; /* records that sort before the previous one */
	/*
	 * number of the first record that sorts before its predecessor, counted
	 * from 0; 0 if there is none
	 */
	uint64_t first_unordered;
	bool unique; /* equal keys count as unordered */
	/*
	 * true: the keys contain text, so documents also show the keys as
	 * readable text
	 */
	bool text;
	struct summary_key first, last; /* empty if there is no record */
};

/*
 * Frees the members. A zeroed struct is the summary of no records; it may be
 * freed, too.
 */
void summary_fini(struct summary *);

/*
 * Copies a key into the memory of an old key, or new memory. Returns -1 if
 * memory is full.
 */
int summary_key_set(struct summary_key *, const struct key *);

/* Returns the key itself, without a copy. */
static inline struct key
summary_key_of(const struct summary_key *k)
{
	return (struct key){ k->bytes, k->len, k->primary };
}

/*
 * Compares two keys: first the primary keys, then the remaining bytes. Sets
 * *same to whether the primary keys are equal.
 */
int summary_key_cmp(const struct key *, const struct key *, bool *same);

/*
 * Compares the keys of two successive records. Counts a record with a repeated
 * key, or one that is out of order. Returns true if `next` sorts before
 * `before`, or equals it where that is not allowed.
 */
bool summary_step(
    struct summary *, const struct key *before, const struct key *next);

/*
 * Appends the summary of the records that follow those of the first summary.
 * Fails with HP_NOMEM, or with HP_INPUT if a number of records exceeds 2^53.
 */
int
summary_append(struct summary *, const struct summary *next, struct hp_err *);

#endif
