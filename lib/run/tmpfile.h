#ifndef HP_RUN_TMPFILE_H
#define HP_RUN_TMPFILE_H

/*
 * A temporary file that many threads write to and read from at once, each
 * anywhere.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/tmp.h"
#include "run/direct.h"

struct tmpfile {
	struct direct disk;
	_Atomic off_t end;
	atomic_int full; /* errno of when it took no more, or 0 */
	bool packing;	 /* a program writes from `end` on, and nobody else */
	char *name;	 /* for messages: the directory and what is needed */
};

/*
 * In the directory whose turn it is, with room for so many bytes; `need` bytes,
 * if not 0, are needed in all, as messages tell.
 */
int tmpfile_open(struct tmpfile *, const struct tmpdirs *, size_t turn,
    uint64_t room, uint64_t need, bool direct, struct hp_err *);
void tmpfile_close(struct tmpfile *);

/*
 * n bytes from an address that is a multiple of DIRECT_ALIGN, where the rest of
 * the last page may be read, too.  Tells where they are; 1 where it took no
 * more and is full from now on.
 */
int tmpfile_write(struct tmpfile *, const unsigned char *, size_t n, off_t *at,
    struct hp_err *);
/* At least `least` bytes of up to n, which may end behind the file's end. */
int tmpfile_read(struct tmpfile *, unsigned char *, size_t n, size_t least,
    off_t at, struct hp_err *);
/* What lies there is not needed any more: back to the disk.  Where holes cannot
 * be made, the disk is free at the end. */
void tmpfile_free(struct tmpfile *, off_t from, off_t to);

#endif
