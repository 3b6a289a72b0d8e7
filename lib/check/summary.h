#ifndef HP_CHECK_SUMMARY_H
#define HP_CHECK_SUMMARY_H

/*
 * What is known of a sequence of records once it has been read: enough to
 * prove a sort, together with the checksum of its input, and enough to judge
 * sequences that follow each other as one, without reading them again.  After
 * valsort's partition summaries (Nyberg 2009).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sum.h"

/* A normalized key (record/order.h), in storage of its own. */
struct summary_key {
	unsigned char *bytes;
	size_t len, primary, cap;
};

struct summary {
	uint64_t records, bytes; /* bytes with the delimiters of lines */
	struct sum checksum;
	uint64_t duplicates; /* records equal in key to the one before */
	uint64_t unordered;  /* records that belong before the one before */
	uint64_t first_unordered; /* counted from 0; 0 when there is none */
	bool unique;		  /* equal keys count as unordered */
	struct summary_key first, last; /* no bytes when there is no record */
};

/* Harmless on a zeroed struct, which is the summary of no records. */
void summary_fini(struct summary *);

/* Copies, reusing the storage of the first.  -1: no memory. */
int summary_key_set(struct summary_key *, const unsigned char *bytes,
    size_t len, size_t primary);

/*
 * By the keys, then by what decides between those that are the same; *same
 * tells whether they are.
 */
int summary_key_cmp(
    const struct summary_key *, const struct summary_key *, bool *same);

/* Is there disorder between a key and the next?  Counts what there is. */
bool summary_step(struct summary *, const struct summary_key *before,
    const struct summary_key *next);

/*
 * Adds the records of another that follow those there are.  HP_NOMEM, or
 * HP_INPUT when there are more than 2^53.
 */
int
summary_append(struct summary *, const struct summary *next, struct hp_err *);

#endif
