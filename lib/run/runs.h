#ifndef HP_RUN_RUNS_H
#define HP_RUN_RUNS_H

/*
 * Sorted runs in temporary files or in the user's files, and their merge.
 * Memory and the number of descriptors determine the number of passes.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/entry.h"
#include "run/feed.h"
#include "run/merge.h"
#include "run/output.h"
#include "run/polyphase.h"
#include "run/source.h"
#include "run/tape.h"

struct run {
	/*
	 * Name of the user's file that contains the run. NULL: the run is in a
	 * temporary file (`tape`).
	 */
	const char *path;
	int fd;	     /* open descriptor of the file, or -1 */
	bool header; /* the file begins with a header, which is skipped */
	/* merge only the part of the file given by `off` and `bytes` */
	bool part;
	uint64_t off, bytes;
	struct feed *feed; /* if the file cannot seek; else NULL */
	struct tape tape;
	/*
	 * The next merge continues to read this run with this source, because
	 * the merge before it ran out of memory. NULL: the run was not
	 * interrupted.
	 */
	struct source *suspended;
};

struct runs {
	const struct view *view;
	struct store store;
	struct feeds feeds;
	struct run *run;
	size_t n, cap;

	struct header *header; /* header lines of the files, or NULL */
	uint64_t memory;       /* bytes of memory for merging */
	size_t longest;	       /* bytes of the longest record, 0 if unknown */
	unsigned threads; /* number of threads; 1 unless the caller sets it */
	/* Maximum number of runs to merge at once; 0: no limit. */
	size_t batch;
	/* With MERGE_POLYPHASE, `batch` is the number of tapes. */
	enum merge_way way;
	/* Number of passes over the data, and bytes that all merges wrote. */
	uint64_t passes, moved;
	/*
	 * Counts of the records that -u left out in all passes before the last.
	 */
	struct merged left_out;
	struct progress *progress; /* or NULL */
};

/*
 * Returns the memory in bytes for two records of the maximum length, with their
 * keys. A source needs this memory, because it compares each record with the
 * previous one.
 */
static inline uint64_t
runs_two_records(const struct runs *r)
{
	return room_for(r->view, 2 * (uint64_t)r->longest);
}

void runs_init(struct runs *, const struct view *, const struct tmpdirs *,
    enum codec_kind, const char *program, uint64_t memory, size_t batch);
void runs_fini(struct runs *);
/*
 * Adds a sorted file of the user. If fd is not -1, it is an open descriptor,
 * which is read from its current offset. The caller keeps path and fd valid.
 * `header` means that the file begins with a header, which is skipped if
 * runs.header is not NULL.
 */
int runs_add_file(
    struct runs *, const char *path, int fd, bool header, struct hp_err *);
/* Adds a part of a sorted regular file. The caller keeps the name valid. */
int runs_add_extent(struct runs *, const char *path, uint64_t off,
    uint64_t bytes, struct hp_err *);
/*
 * Adds a run that was written to a tape (temporary file). The caller must not
 * use the tape afterwards.
 */
int runs_add_tape(struct runs *, const struct tape *, struct hp_err *);

/*
 * Merges all runs, writes the sorted records to the descriptor fd and counts
 * them.
 */
int runs_merge(
    struct runs *, int fd, const char *name, struct merged *, struct hp_err *);

#endif
