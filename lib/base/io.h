#ifndef HP_BASE_IO_H
#define HP_BASE_IO_H

/*
 * Whole reads and writes, and files by name.  Interrupted and short calls
 * are carried on with, so that a caller sees all of its bytes or an error.
 */

#include <sys/types.h>

#include "base/err.h"

/* Returns the bytes read, fewer than asked only at end of file; or -1. */
ssize_t io_read(int fd, void *, size_t);
ssize_t io_pread(int fd, void *, size_t, off_t);
/* Return 0, or -1 with errno. */
int io_write(int fd, const void *, size_t);
int io_pwrite(int fd, const void *, size_t, off_t);

/*
 * Open for reading; "-" is standard input.  Returns a descriptor that
 * io_close closes (standard input stays open), or -1.
 */
int io_open(const char *path, struct hp_err *);
void io_close(int fd);

/* The directory that the path is in; to be freed.  NULL with errno. */
char *io_directory(const char *path);

#endif
