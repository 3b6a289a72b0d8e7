#ifndef HP_RUN_STORE_H
#define HP_RUN_STORE_H

/*
 * The temporary files of a sort or a merge. Each directory of -T gets one file.
 * Without -T, there is one file (base/tmp.h). If a disk is full, a file in the
 * next directory is added. Many threads read and write the files at once, at
 * different offsets.
 */

#include <sys/types.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/tmp.h"
#include "run/codec.h"
#include "run/packer.h"
#include "run/tmpfile.h"

struct store {
	struct tmpdirs tmp;
	uint64_t memory; /* bytes of memory of the whole sort */
	/* number of bytes that all runs together will take; 0: unknown */
	uint64_t need;
	/*
	 * [nfiles]: first one file for each directory of -T, then further
	 * files, which are used when a disk is full.
	 */
	struct tmpfile **file;
	_Atomic size_t nfiles;
	size_t cap;
	size_t turn;
	/*
	 * program that compresses the files instead of the built-in codec, or
	 * NULL
	 */
	const char *program;
	struct packers packers;
	/* Protects the file list and the tapes' block lists. */
	pthread_mutex_t lock;
	/* Bytes before and after compression. */
	_Atomic uint64_t spilled, stored;
};

/*
 * Prepares the store. `memory` is the memory of the whole sort in bytes, which
 * determines the block size.
 */
void store_init(struct store *, const struct tmpdirs *, enum codec_kind,
    const char *program, uint64_t memory);
void store_fini(struct store *);
/* Returns true if there is a temporary file that bypasses the page cache. */
bool store_is_direct(const struct store *);
/*
 * Returns true if a temporary file bypasses the page cache and its disk proved
 * fast.
 */
bool store_is_fast(const struct store *);
/*
 * Returns the memory in bytes that each thread needs to read or write blocks of
 * temporary files.
 */
size_t store_memory(const struct store *);

/*
 * Chooses the file for a new run, in turn among the directories of -T. Returns
 * NULL if no directory can be used.
 */
struct tmpfile *store_file(struct store *, struct hp_err *);
/*
 * Writes n bytes to file f. If its disk is full, writes to a file in another
 * directory. buf must be aligned to DIRECT_ALIGN and readable to the end of its
 * last page. Stores in *lane and *at the file's lane (one of its descriptors)
 * and the offset of the data.
 */
int store_write(struct store *, struct tmpfile *, const unsigned char *,
    size_t n, struct lane **, off_t *at, struct hp_err *);

#endif
