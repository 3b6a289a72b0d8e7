#ifndef HP_RUN_RUNS_H
#define HP_RUN_RUNS_H

/*
 * Sorted runs, in temporary files or in files of the user, and merging any
 * number of them in as many passes as memory and descriptors ask for.
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
#include "run/tape.h"

struct run {
	const char *path; /* a file of the user's, or NULL, and a tape */
	int fd;		  /* of the file, if it is open already, or -1 */
	bool part;	  /* only these bytes of the file */
	uint64_t off, bytes;
	struct feed *feed; /* or the file, if it cannot be sought in */
	struct tape tape;
	struct source
	    *rest; /* of it, after a merge that ended early, or NULL */
};

struct runs {
	const struct view *view;
	struct store store;
	struct feeds feeds;
	struct run *run;
	size_t n, cap;

	uint64_t memory;    /* for merging */
	size_t longest;	    /* record, where it is known, else 0 */
	unsigned threads;   /* 1 at first */
	size_t batch;	    /* most at once, 0: as many as make sense */
	enum merge_way way; /* with polyphase, batch is the number of files */
	uint64_t passes, moved;	   /* bytes that merging wrote */
	struct merged left_out;	   /* by -u, before the last pass */
	struct progress *progress; /* or NULL */
};

void runs_init(struct runs *, const struct view *, const struct tmpdirs *,
    enum codec_kind, const char *program, uint64_t memory, size_t batch);
void runs_fini(struct runs *);
/*
 * A file of the user's, sorted; the name is borrowed.  fd: a descriptor of it
 * that is read from where it stands, borrowed too; -1 for none.
 */
int runs_add_file(struct runs *, const char *path, int fd, struct hp_err *);
/* A part of a regular file of the user's; sorted, the name is borrowed. */
int runs_add_extent(struct runs *, const char *path, uint64_t off,
    uint64_t bytes, struct hp_err *);
/* A tape that was written. */
int runs_add_tape(struct runs *, const struct tape *, struct hp_err *);

/* Merge them all, in order, into a descriptor; and count that. */
int runs_merge(
    struct runs *, int fd, const char *name, struct merged *, struct hp_err *);

#endif
