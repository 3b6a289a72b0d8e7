#ifndef HP_RUN_CUTS_H
#define HP_RUN_CUTS_H

/*
 * Where sorted runs are cut at the same keys, so that the pieces between two
 * cuts can be merged by themselves.  Records with equal keys are never parted.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/entry.h"
#include "run/source.h"

/* A sorted run that can be read from anywhere: a file or a tape. */
struct extent_run {
	const struct tape *tape; /* or NULL, and a */
	int fd;
	uint64_t off; /* byte of the file where the run begins */
	uint64_t bytes;
	const char *name;
};

struct cuts {
	const struct view *view;
	struct store *store;
	const struct extent_run *run;
	size_t n, parts;
	unsigned threads;
	uint64_t total; /* bytes */
	size_t most;	/* bytes read to find a record; more is not worth it */
	_Atomic int64_t room;  /* for samples */
	uint64_t *at;	       /* [parts + 1][n] offsets in the runs */
	size_t *pivot;	       /* [parts + 1] samples that part them; 1.. */
	struct sample *sample; /* in order */
	size_t nsamples;
	struct hp_err *err; /* one for each thread */
	_Atomic size_t next;
};

/*
 * Cut n runs into at most so many parts, by several threads.  HP_INPUT if a run
 * is not sorted, or if its records are so long that it is faster not to divide,
 * or that memory has no room for as many as it takes.
 */
int cuts_find(struct cuts *, const struct view *, struct store *,
    const struct extent_run *, size_t n, size_t parts, unsigned threads,
    uint64_t memory, struct hp_err *);
/* Harmless on a zeroed struct. */
void cuts_fini(struct cuts *);

/* Open bytes of run i. */
int cuts_open(const struct cuts *, size_t i, uint64_t from, uint64_t bytes,
    size_t buffer, struct source *, struct hp_err *);
/* A run must not have on one side of a cut what belongs on the other: its last
 * record in part p was the item of the source. */
bool cuts_hold(const struct cuts *, size_t p, const struct source *);

#endif
