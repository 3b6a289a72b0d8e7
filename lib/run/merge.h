#ifndef HP_RUN_MERGE_H
#define HP_RUN_MERGE_H

/*
 * Merging sorted inputs by a loser tree (Knuth vol. 3, 5.4.1) on 8-byte
 * prefixes of their keys.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sum.h"
#include "run/outbuf.h"
#include "run/source.h"

/* How many records, and their bytes with what ends them. */
struct merged {
	uint64_t records, bytes;    /* that came */
	uint64_t repeats, repeated; /* of these, what -u left out, */
	struct sum checksum;	    /* and its sum, if the order asks for it */
};

void merged_add(struct merged *, const struct merged *);

/* Where merged records go. */
struct sink {
	struct outbuf out;
	struct merged count;
	struct keybuf last; /* with -u: the primary key that went there last, */
	bool cut;	    /* or its record */
	bool any;
};

void sink_fini(struct sink *);

/*
 * Merge n open sources; equal records come in the order of the sources, with
 * an order's -u only the first of them.  The sink is flushed at the end, and
 * before each wait for a slow input.  O(log n) comparisons a record.
 *
 * MERGE_FULL: there is no room for the next records of all sources.  These are
 * as they should be for another merge, into the same sink or of some of them.
 */
enum {
	MERGE_FULL = 1
};
int merge(const struct view *, struct source *, size_t n, struct sink *,
    struct hp_err *);

#endif
