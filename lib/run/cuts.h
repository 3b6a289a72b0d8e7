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

/*
 * A sorted run that allows reads at any offset: a file of the user, or a tape
 * (a run in a temporary file).
 */
struct extent_run {
	const struct tape *tape; /* NULL: read fd */
	int fd;
	uint64_t off; /* offset of the run in the file */
	uint64_t bytes;
	bool cached; /* it seems to be in the page cache: reads are cheap */
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
	 * Maximum length of a record in bytes. If records are longer, finding
	 * the places to cut the runs takes more time than several threads save.
	 */
	size_t most;
	_Atomic int64_t room; /* bytes left for samples */
	/*
	 * [parts + 1][n]: element p * n + i is the offset in run i at which
	 * part p begins
	 */
	uint64_t *at;
	/*
	 * [parts + 1]: part p begins at the first record that does not sort
	 * before sample[pivot[p]]. Part 0 begins at the start of each run, so
	 * pivot[0] is unused.
	 */
	size_t *pivot;
	struct sample *sample; /* sorted by key */
	size_t nsamples;
	struct hp_err *err; /* one per thread */
	_Atomic size_t next;
};

/*
 * Cuts n runs into at most `parts` parts, with several threads. `memory` is in
 * bytes. Fails with HP_INPUT if a run is not sorted. Also fails with HP_INPUT
 * if long records make cutting too slow or the samples too large. Reads O(parts
 * log bytes) records per run.
 */
int cuts_find(struct cuts *, const struct view *, struct store *,
    const struct extent_run *, size_t n, size_t parts, unsigned threads,
    uint64_t memory, struct hp_err *);
/* Does nothing on a zeroed struct. */
void cuts_fini(struct cuts *);

/*
 * Checks a run when the source has read all its records of part p. Returns
 * whether the last of them sorts before the key at which the next part begins.
 * If not, the run is not sorted.
 */
bool cuts_hold(const struct cuts *, size_t p, const struct source *);

#endif
