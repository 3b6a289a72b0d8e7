#ifndef HP_BASE_OUTFILE_H
#define HP_BASE_OUTFILE_H

/*
 * A named output that appears whole or not at all: written without a name
 * beside the target, named and renamed last, so that the target may be one of
 * the inputs and a killed process leaves nothing.  Where there are no files
 * without a name, it has one that goes with a signal (names.h).  Devices, FIFOs
 * and standard output are written to directly.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct outfile {
	int fd;
	const char *name; /* for messages */
	char *target;	  /* NULL: written directly */
	char *beside;	  /* where it has to have a name, that name */
	bool kept;	  /* under that one, also if it is aborted */
};

/* path NULL, "-" or /dev/stdout is standard output. */
int outfile_open(struct outfile *, const char *path, struct hp_err *);
/*
 * The same of a regular file, which until then has this other name, so that
 * what was written outlasts this process, and an abort: what is there already
 * stays. Where it is not there and not to be made, fd is -1 and target NULL.
 */
int outfile_take_up(struct outfile *, const char *path, const char *beside,
    bool make, struct hp_err *);
/*
 * Closes and names; every error of the writes before shows here at the last.
 * Signals are held back from the calling thread meanwhile.
 */
int outfile_commit(struct outfile *, struct hp_err *);
/*
 * The same of several: whatever may fail for want of room is done for all of
 * them before the first one appears.
 */
int outfile_commit_all(struct outfile *const *, size_t n, struct hp_err *);
/* Forgets what was written.  Harmless after commit and on a zeroed struct. */
void outfile_abort(struct outfile *);

#endif
