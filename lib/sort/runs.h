#ifndef HP_SORT_RUNS_H
#define HP_SORT_RUNS_H

/*
 * Sorted runs, in temporary files or in files of the user, and merging any
 * number of them in as many passes as memory and descriptors ask for.
 */

#include <sys/types.h>

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/tmp.h"
#include "sort/entry.h"
#include "sort/merge.h"

struct run {
	const char *path; /* a file of the user's, or NULL: */
	int fd;		  /* of that, if it is open already, or -1 */
	size_t file;	  /* number of the temporary file */
	off_t at;
	uint64_t bytes;
};

struct tmpfile {
	int fd;
	off_t end;
	char *name; /* for messages: the directory and what is needed */
};

struct runs {
	const struct view *view;
	struct tmpdirs tmp;
	struct tmpfile *file; /* one in each directory of -T, or one */
	size_t nfiles, turn;
	uint64_t need; /* bytes to expect in all, 0 if not known */

	struct run *run;
	size_t n, cap;

	uint64_t memory; /* for merging */
	unsigned threads;
	size_t batch; /* most at once, 0: as many as make sense */
	uint64_t passes, spilled;
	struct progress *progress; /* or NULL */
};

void runs_init(struct runs *, const struct view *, const struct tmpdirs *,
    uint64_t memory, unsigned threads, size_t batch);
void runs_fini(struct runs *);
/*
 * A file of the user's, sorted; the name is borrowed.  fd: a descriptor of it
 * that is read from where it stands, borrowed too; -1 for none.
 */
int runs_add_file(struct runs *, const char *path, int fd, struct hp_err *);
/* A temporary file to write the next run to, from its end on. */
struct tmpfile *runs_begin(struct runs *, struct hp_err *);
/* The run that was written there, `bytes` of it. */
int runs_end(struct runs *, struct tmpfile *, uint64_t bytes, struct hp_err *);

/* Merge them all, in order, into a descriptor. */
int runs_merge(struct runs *, int fd, const char *name, uint64_t *records,
    struct hp_err *);

#endif
