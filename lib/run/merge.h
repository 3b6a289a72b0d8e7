#ifndef HP_RUN_MERGE_H
#define HP_RUN_MERGE_H

/*
 * Merges sorted inputs with a loser tree (Knuth vol. 3, 5.4.1) over 8-byte
 * prefixes of their keys.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sum.h"
#include "run/outbuf.h"
#include "run/source.h"

/* Counts of a merge. Bytes include the delimiters of lines. */
struct merged {
	uint64_t records, bytes; /* read from the inputs */
	/* the records that -u omitted, and their bytes */
	uint64_t repeats, repeated;
	/*
	 * Checksum of the records that -u left out, if order.sum_dropped is
	 * set.
	 */
	struct sum checksum;
};

void merged_add(struct merged *, const struct merged *);

/* The destination of merged records. */
struct merge_out {
	struct outbuf out;
	struct merged count;
	/*
	 * With -u: the primary key of the last record written, to detect
	 * repeated keys. If the key was too long, `cut` is set, and `last` is
	 * the whole record instead.
	 */
	struct keybuf last;
	bool cut;
	bool any;
};

void merge_out_fini(struct merge_out *);

/*
 * Merges n open sources. Records with equal keys keep the order of the sources;
 * with -u only the first is written. The sink is flushed at the end and before
 * each wait for a slow input. O(log n) comparisons per record.
 *
 * Returns MERGE_FULL if the next records of all sources do not fit into memory
 * together. The sources stay valid. The caller can first merge some of them
 * into one, and then continue into the same sink.
 */
enum {
	MERGE_FULL = 1
};
int merge(const struct view *, struct source *, size_t n, struct merge_out *,
    struct hp_err *);

#endif
