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
 * before that.  What passes by the page cache lies in it as in the file's
 * pages.
 */
struct sink {
	struct output *out;
	bool in_turn;
	size_t turn; /* number */
	off_t at;    /* where in it the next bytes go; -1 before the turn */
	unsigned char *buf;
	size_t cap, len;
	size_t lead; /* bytes of a page before those in the buffer */
	size_t full; /* bytes to be written, unless another thread writes */
	uint64_t records, bytes;
	struct keybuf last; /* with -u: the primary key that was put last */
	bool any;
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
