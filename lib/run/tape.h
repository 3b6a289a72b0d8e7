#ifndef HP_RUN_TAPE_H
#define HP_RUN_TAPE_H

/*
 * A tape: one sorted run in a temporary file, as a list of blocks. Many threads
 * write to a tape at once, so blocks lie in the file in any order; the list
 * restores the order of the run. Blocks may be compressed, each independently.
 * A tape can be read from any byte on.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "run/store.h"

struct stored {
	uint64_t from; /* offset of the block in the run */
	struct lane *lane;
	off_t at; /* offset of the block in the lane */
	/* Size before and after compression; equal: uncompressed. */
	uint32_t bytes, stored;
};

struct tape {
	struct tmpfile *file; /* the file where the run starts */
	struct stored *block;
	size_t n, cap;
	uint64_t bytes;
	bool by_program; /* a program has compressed the run */
	/* size in bytes after a program has compressed the run */
	uint64_t packed;
};

/* Starts a new tape, in the temporary file of the next directory of -T. */
int tape_begin(struct tape *, struct store *, struct hp_err *);
/*
 * Writes n bytes at offset `from` of a run. Any thread may call this. If the
 * data begins at a multiple of DIRECT_ALIGN in memory, it is written without a
 * copy. Whole pages are written, so the memory must then be readable to the end
 * of the last page.
 */
int tape_put(struct tape *, struct store *, const void *, size_t n,
    uint64_t from, struct hp_err *);
/*
 * Discards all data of the tape and frees its disk space. Writing starts again
 * at offset 0.
 */
void tape_rewind(struct tape *);
/*
 * Ends writing. Call this after the last tape_put; the tape can then be read.
 */
void tape_end(struct tape *);
/*
 * Ends writing a run that a program has compressed. Call this instead of
 * tape_end. `bytes` is the size of the run before compression.
 */
void tape_end_packed(struct tape *, struct store *, uint64_t bytes);
/*
 * Reads up to n > 0 bytes of a sorted run from offset `from`. The offset counts
 * compressed bytes if a program has compressed the run. Returns the number of
 * bytes read. Any thread may call this function.
 */
ssize_t tape_read(const struct tape *, struct store *, uint64_t from, void *,
    size_t n, struct hp_err *);
/* Frees a tape and its disk space. */
void tape_release(struct tape *);
/*
 * Frees only the block list, not the disk space. Does nothing on a zeroed
 * struct.
 */
void tape_fini(struct tape *);

#endif
