#ifndef HP_RUN_TAPE_H
#define HP_RUN_TAPE_H

/*
 * Sorted runs in temporary files, each a tape of blocks in the order of the
 * run, while in the files they lie as they came: many threads write to one
 * tape at once, and blocks may be compressed, each by itself, and read from any
 * byte on.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "run/store.h"

struct stored {
	uint64_t from; /* where in the run */
	struct lane *lane;
	off_t at;		/* where in the lane */
	uint32_t bytes, stored; /* equal: not compressed */
};

struct tape {
	struct tmpfile *file; /* where it begins */
	struct stored *block;
	size_t n, cap;
	uint64_t bytes;
	bool by_program; /* and what is in the blocks are */
	uint64_t packed; /* so many bytes */
};

/* A new tape, in the next directory's file. */
int tape_begin(struct tape *, struct store *, struct hp_err *);
/*
 * Bytes of the run that begin at `from`; any thread.  They are written without
 * a copy from an address that is a multiple of DIRECT_ALIGN, where the rest of
 * the last page may be read, too.
 */
int tape_put(struct tape *, struct store *, const void *, size_t n,
    uint64_t from, struct hp_err *);
/* What was written is void, and its part of the disks free; it begins anew. */
void tape_rewind(struct tape *);
/* After the last: from now on it can be read. */
void tape_end(struct tape *);
/* The same when a program packed it, of so many bytes of the run. */
void tape_end_packed(struct tape *, struct store *, uint64_t bytes);
/* Up to n > 0 bytes of the run, or of what the program made of it, that begin
 * at `from`; how many.  Any thread. */
ssize_t tape_read(const struct tape *, struct store *, uint64_t from, void *,
    size_t n, struct hp_err *);
/* It is not needed any more: gives its part of the disks back. */
void tape_release(struct tape *);
/* Harmless on a zeroed struct. */
void tape_fini(struct tape *);

#endif
