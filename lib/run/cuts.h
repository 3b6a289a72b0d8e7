#ifndef HP_RUN_CUTS_H
#define HP_RUN_CUTS_H

/*
 * Cuts sorted runs into parts at the same keys, so that each part can be merged
 * independently. All records with equal keys lie in the same part.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/entry.h"
#include "run/source.h"

/* A sorted run that allows reads at any offset: a file or a tape. */
struct extent_run {
	const struct tape *tape; /* NULL: read fd */
	int fd;
	uint64_t off; /* offset of the run in the file */
	uint64_t bytes;
	const char *name;
};

struct cuts {
	const struct view *view;
	struct store *store;
	const struct extent_run *run;
	size_t n, parts;
	unsigned threads;
	uint64_t total; /* bytes of all runs */
	/*
	 * Maximum number of bytes to read to find one record. With longer
	 * records, cutting takes longer than it saves.
	 */
	size_t most;
	_Atomic int64_t room; /* bytes left for samples */
	/*
	 * [parts + 1][n]: for each part, the byte offset in each run at which
	 * the part begins
	 */
	uint64_t *at;
	/* [parts + 1]: indices of the pivots in `sample`; pivot[0] is unused */
	size_t *pivot;
	struct sample *sample; /* sorted by key */
	size_t nsamples;
	struct hp_err *err; /* one per thread */
	_Atomic size_t next;
};

/*
 * Cuts n runs into at most `parts` parts, with several threads. Fails with
 * HP_INPUT if a run is not sorted, or if long records make cutting too slow or
 * the samples too large for `memory` bytes. Reads O(parts log bytes) records
 * per run.
 */
int cuts_find(struct cuts *, const struct view *, struct store *,
    const struct extent_run *, size_t n, size_t parts, unsigned threads,
    uint64_t memory, struct hp_err *);
/* Does nothing on a zeroed struct. */
void cuts_fini(struct cuts *);

/* Opens `bytes` bytes of run i from offset `from` on. */
int cuts_open(const struct cuts *, size_t i, uint64_t from, uint64_t bytes,
    size_t buffer, struct source *, struct hp_err *);
/*
 * Checks that the parts of a merge are in order. The source has the last record
 * of part p. Returns true if this record sorts before the next cut. If not, the
 * run is not sorted.
 */
bool cuts_hold(const struct cuts *, size_t p, const struct source *);

#endif
