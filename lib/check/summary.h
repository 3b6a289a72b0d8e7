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

/* A copy of a normalized key (record/order.h). */
struct summary_key {
	unsigned char *bytes;
	size_t len, primary, cap;
};

struct summary {
	uint64_t records, bytes; /* bytes include the delimiters of lines */
	struct sum checksum;
	uint64_t duplicates; /* records with the same key as the previous one */
	uint64_t unordered;  /* records that sort before the previous one */
	/* index of the first unordered record, from 0; 0 also if none is */
	uint64_t first_unordered;
	bool unique; /* equal keys count as unordered */
	/* the keys contain text of the records, which documents show, too */
	bool text;
	struct summary_key first, last; /* empty if there is no record */
};

/*
 * Frees the members. A zeroed struct is the summary of no records and may be
 * freed, too.
 */
void summary_fini(struct summary *);

/* Copies a key and reuses the old memory. Returns -1 if there is no memory. */
int summary_key_set(struct summary_key *, const unsigned char *bytes,
    size_t len, size_t primary);

/*
 * Compares primary keys, then the rest of the keys. *same is set if the primary
 * keys are equal.
 */
int summary_key_cmp(
    const struct summary_key *, const struct summary_key *, bool *same);

/*
 * Compares the keys of two successive records and counts a duplicate or
 * unordered record. Returns true if `next` is out of order after `before`.
 */
bool summary_step(struct summary *, const struct summary_key *before,
    const struct summary_key *next);

/*
 * Appends the summary of the records that follow those of the first summary.
 * Fails with HP_NOMEM, or with HP_INPUT if a count exceeds 2^53.
 */
int
summary_append(struct summary *, const struct summary *next, struct hp_err *);

#endif
