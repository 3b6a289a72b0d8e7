#ifndef HP_SORT_MERGE_H
#define HP_SORT_MERGE_H

/*
 * Merging sorted inputs by a loser tree (Knuth vol. 3, 5.4.1) on 8-byte
 * prefixes of their keys.
 */

#include <sys/types.h>

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "sort/source.h"

/* Where merged records go: a buffer before a descriptor. */
struct sink {
	int fd;
	const char *name;
	off_t at; /* -1: where the descriptor is */
	unsigned char *buf;
	size_t cap, len;
	uint64_t records, bytes;
	struct progress *progress; /* or NULL */
};

int sink_init(struct sink *, int fd, off_t at, const char *name, size_t cap,
    struct hp_err *);
int sink_flush(struct sink *, struct hp_err *);
void sink_fini(struct sink *);

/*
 * Merge n open sources; equal records come in the order of the sources, with
 * an order's -u only the first of them.  The sink is flushed at the end, and
 * before each wait for a slow input.  O(log n) comparisons a record.
 */
int merge(const struct view *, struct source *, size_t n, struct sink *,
    struct hp_err *);

#endif
