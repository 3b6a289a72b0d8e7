#ifndef HP_RUN_MERGE_H
#define HP_RUN_MERGE_H

/*
 * Merging sorted inputs by a loser tree (Knuth vol. 3, 5.4.1) on 8-byte
 * prefixes of their keys.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "run/output.h"
#include "run/source.h"

/*
 * Where merged records go: a buffer before an output, from a place of it on,
 * or from where the output is at a turn.  The buffer is all that is filled
 * before that.
 *
 * Past the page cache as the output says it: what was written is sent to the
 * disk, and leaves the cache when it is there, so that what follows takes its
 * pages.  Fresh ones cost several times as much on a virtual machine, and far
 * more where there are none left.
 */
struct sink {
	struct output *out;
	bool in_turn;
	size_t turn; /* number */
	off_t at;    /* where in it the next bytes go; -1 before the turn */
	off_t sent, gone; /* to the disk, from the cache, up to here */
	unsigned char *buf;
	size_t cap, len;
	size_t full; /* bytes to be written, unless another thread writes */
	uint64_t records, bytes;
};

int sink_init(struct sink *, struct output *, size_t cap, struct hp_err *);
/* From here on: a place, or that of a turn. */
void sink_start(struct sink *, off_t at);
void sink_start_in_turn(struct sink *, size_t turn);
int sink_flush(struct sink *, struct hp_err *);
/* All was flushed: the next one's turn.  -1 when another thread failed. */
int sink_end(struct sink *);
void sink_fini(struct sink *);

/*
 * Merge n open sources; equal records come in the order of the sources, with
 * an order's -u only the first of them.  The sink is flushed at the end, and
 * before each wait for a slow input.  O(log n) comparisons a record.
 */
int merge(const struct view *, struct source *, size_t n, struct sink *,
    struct hp_err *);

#endif
