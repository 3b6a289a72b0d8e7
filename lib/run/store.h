#ifndef HP_RUN_STORE_H
#define HP_RUN_STORE_H

/*
 * Sorted runs in temporary files, each a tape of blocks in the order of the
 * run, while in the files they lie as they came: many threads write to one
 * tape at once, and blocks may be compressed, each by itself, and read from any
 * byte on.  Blocks go to another directory's file when theirs takes no more.
 */

#include <sys/types.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/tmp.h"
#include "run/codec.h"
#include "run/tmpfile.h"

struct packer; /* what a thread needs to write or read a block */

struct store {
	struct tmpdirs tmp;
	uint64_t need;	       /* bytes to expect in all, 0 if not known */
	struct tmpfile **file; /* one in each directory of -T, or one; and */
	_Atomic size_t nfiles; /* what follows one that is full or packed to */
	size_t cap;
	size_t turn;
	enum codec_kind codec;
	const char *program; /* instead, or NULL */
	size_t block;	     /* bytes that are compressed at once */
	pthread_mutex_t lock;
	struct packer *idle;
	_Atomic uint64_t spilled, stored; /* bytes written: of runs, to disk */
};

struct stored {
	uint64_t from; /* where in the run */
	struct tmpfile *file;
	off_t at;		/* where in the file */
	uint32_t bytes, stored; /* equal: not compressed */
};

struct tape {
	struct tmpfile *file; /* where it begins */
	struct stored *block;
	size_t n, cap;
	uint64_t bytes;
	off_t at;	 /* without blocks: by a program, here in the file, */
	uint64_t packed; /* this many bytes */
};

/* memory: all there is to sort with; it decides how large blocks are. */
void store_init(struct store *, const struct tmpdirs *, enum codec_kind,
    const char *program, uint64_t memory);
void store_fini(struct store *);
/* Is there a temporary file, and passes it the page cache by? */
bool store_is_direct(const struct store *);
/* The same, and it was found to be fast. */
bool store_is_fast(const struct store *);
/* What store keeps for each thread that writes or reads. */
size_t store_memory(const struct store *);

/*
 * A new tape, in the next directory's file.  Until tape_end others are written
 * there from their beginnings to their ends, and not beside it; while a program
 * writes it, others go to a file of their own.
 */
int tape_begin(struct tape *, struct store *, struct hp_err *);
/*
 * Bytes of the run that begin at `from`; any thread.  They are written without
 * a copy from an address that is a multiple of DIRECT_ALIGN, where the rest of
 * the last page may be read, too.
 */
int tape_put(struct tape *, struct store *, const void *, size_t n,
    uint64_t from, struct hp_err *);
/* For the program: a descriptor of the file, and where it writes. */
void tape_pack(struct tape *, int *fd, off_t *at);
/* It wrote so far, of `bytes` of the run. */
void tape_packed(struct tape *, struct store *, off_t end, uint64_t bytes);
/* What was written is void; it begins anew. */
void tape_rewind(struct tape *);
/* After the last: from now on it can be read. */
void tape_end(struct tape *);
/* Up to n > 0 bytes of the run that begin at `from`; how many.  Any thread. */
ssize_t tape_read(const struct tape *, struct store *, uint64_t from, void *,
    size_t n, struct hp_err *);
/* It is not needed any more: gives its part of the disks back. */
void tape_release(struct tape *, struct store *);
/* Harmless on a zeroed struct. */
void tape_fini(struct tape *);

#endif
