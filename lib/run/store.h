#ifndef HP_RUN_STORE_H
#define HP_RUN_STORE_H

/*
 * The temporary files of a sort or a merge: one in each directory of -T, or one
 * (base/tmp.h), and one in the next directory where a file takes no more.  Many
 * threads write to them and read from them at once, each anywhere.
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
	uint64_t memory;       /* to sort with */
	uint64_t need;	       /* bytes to expect in all, 0 if not known */
	struct tmpfile **file; /* one in each directory of -T, or one; and */
	_Atomic size_t nfiles; /* what follows one that is full */
	size_t cap;
	size_t turn;
	const char
	    *program; /* to compress with, in place of a codec; or NULL */
	struct packers packers;
	pthread_mutex_t lock; /* of the files, and of tapes' blocks */
	_Atomic uint64_t spilled, stored; /* bytes written: of runs, to disk */
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

/* For a new run: every directory of -T gets a file before any gets a second
 * run.  NULL: no directory will do. */
struct tmpfile *store_file(struct store *, struct hp_err *);
/*
 * n bytes from an address that is a multiple of DIRECT_ALIGN, where the rest of
 * the last page may be read, too, to this file or, where that takes no more, to
 * another directory's.  Tells where they are.
 */
int store_write(struct store *, struct tmpfile *, const unsigned char *,
    size_t n, struct lane **, off_t *at, struct hp_err *);

#endif
