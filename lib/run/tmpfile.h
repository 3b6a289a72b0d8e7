#ifndef HP_RUN_TMPFILE_H
#define HP_RUN_TMPFILE_H

/*
 * A temporary file that many threads read and write at once, at different
 * offsets. The kernel lets one thread at a time write to a file, so it consists
 * of several files, called lanes. The first lane bypasses the page cache. A
 * thread uses another lane, through the cache, if the first is busy or its data
 * is small. Disk and cache thereby work at the same time, each at its own
 * speed.
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
	/*
	 * maximum number of lanes (descriptors) of a file; fewer are used if
	 * one cannot be opened
	 */
	LANES = 4
};

struct lane {
	struct direct disk;
	_Atomic off_t end;
	struct tmpfile *file;
};

struct tmpfile {
	struct lane lane[LANES];
	_Atomic size_t lanes, most, closed;
	pthread_mutex_t lock; /* held while a lane is opened */
	/* errno of the write that found the disk full; 0 if no write did */
	atomic_int full;
	/* text for messages: the directory of the file, and the space needed */
	char *name;
};

/*
 * Creates the file in the first directory that has `room` bytes of free space;
 * the search begins at number `turn`. The file consists of at most `lanes`
 * lanes (separate files). If `direct` is set, the first lane bypasses the page
 * cache. `need` is the number of bytes needed in all, for error messages only;
 * 0: do not show it.
 */
int tmpfile_open(struct tmpfile *, const struct tmpdirs *, size_t turn,
    uint64_t room, uint64_t need, bool direct, size_t lanes, struct hp_err *);
void tmpfile_close(struct tmpfile *);

/*
 * Writes n bytes. The address must be a multiple of DIRECT_ALIGN, and the last
 * page must be readable to its end. Stores in *lane and *at the lane
 * (descriptor) and the offset of the data. Returns 1 if the disk is full; the
 * file then refuses further writes.
 */
int tmpfile_write(struct tmpfile *, const unsigned char *, size_t n,
    struct lane **, off_t *at, struct hp_err *);
/*
 * Reads at least `least` and at most n bytes from a lane (descriptor). The n
 * bytes may reach beyond the end of the lane.
 */
int tmpfile_read(struct lane *, unsigned char *, size_t n, size_t least,
    off_t at, struct hp_err *);
/*
 * Frees the disk space of the bytes `from` to `to` of a lane (one of the files
 * of a temporary file). If the file system cannot punch holes, the space is
 * freed when the file is closed.
 */
void tmpfile_free(struct lane *, off_t from, off_t to);

#endif
