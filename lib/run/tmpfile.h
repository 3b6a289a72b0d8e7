#ifndef HP_RUN_TMPFILE_H
#define HP_RUN_TMPFILE_H

/*
 * A temporary file that many threads write to and read from at once, each
 * anywhere.  It has lanes, which are files to the kernel, as that lets one
 * thread at a time write to one: the first goes past the page cache, and who
 * finds it being written to, or has little, takes one that goes through the
 * cache.  So disk and cache take what each of them can, at the same time, and
 * nobody has to know which of them is the faster.
 */

#include <sys/types.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/tmp.h"
#include "run/direct.h"

enum {
	LANES = 4 /* at most; where one cannot be opened there are fewer */
};

struct lane {
	struct direct disk;
	_Atomic off_t end;
	struct tmpfile *file;
};

struct tmpfile {
	struct lane lane[LANES];
	_Atomic size_t lanes, most, closed;
	pthread_mutex_t lock; /* of opening them */
	atomic_int full;      /* errno of when it took no more, or 0 */
	char *name; /* for messages: the directory and what is needed */
};

/*
 * In the directory whose turn it is, with room for so many bytes; `need` bytes,
 * if not 0, are needed in all, as messages tell.  direct: the first of up to so
 * many lanes goes past the page cache.
 */
int tmpfile_open(struct tmpfile *, const struct tmpdirs *, size_t turn,
    uint64_t room, uint64_t need, bool direct, size_t lanes, struct hp_err *);
void tmpfile_close(struct tmpfile *);

/*
 * n bytes from an address that is a multiple of DIRECT_ALIGN, where the rest of
 * the last page may be read, too.  Tells where they are; 1 where it took no
 * more and is full from now on.
 */
int tmpfile_write(struct tmpfile *, const unsigned char *, size_t n,
    struct lane **, off_t *at, struct hp_err *);
/* At least `least` bytes of up to n, which may end behind the lane's end. */
int tmpfile_read(struct lane *, unsigned char *, size_t n, size_t least,
    off_t at, struct hp_err *);
/* What lies there is not needed any more: back to the disk.  Where holes cannot
 * be made, the disk is free at the end. */
void tmpfile_free(struct lane *, off_t from, off_t to);

#endif
