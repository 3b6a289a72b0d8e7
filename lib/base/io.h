#ifndef HP_BASE_IO_H
#define HP_BASE_IO_H

/*
 * Read and write all requested bytes. If a system call is interrupted or
 * transfers only a part of the bytes, it is repeated for the rest.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Return the number of bytes read, or -1 on an error. The number is smaller
 * than requested only at the end of the file.
 */
ssize_t io_read(int fd, void *, size_t);
ssize_t io_pread(int fd, void *, size_t, off_t);
/* Return 0, or -1 with errno. */
int io_write(int fd, const void *, size_t);
int io_pwrite(int fd, const void *, size_t, off_t);

/*
 * Truncates the file behind its last newline. Returns 0, or -1 with errno. A
 * process that dies or has no disk space may have left an incomplete line.
 */
int io_whole_lines(int fd);

/*
 * Opens a file for reading; "-" is standard input. Returns a descriptor or -1.
 * Close it with io_close, which leaves standard input open.
 */
int io_open(const char *path, struct hp_err *);
void io_close(int fd);

/*
 * Returns whether the name, relative to the directory `at`, still refers to the
 * open file. Another process may have removed or replaced the file. `flags` is
 * 0 or AT_SYMLINK_NOFOLLOW: a symbolic link is then not the file.
 */
bool io_has_name(int fd, int at, const char *name, int flags);

/*
 * Returns whether the input file `path` ("-": standard input) is the regular
 * file that is open for writing as fd.
 */
bool io_overwrites(int fd, const char *path);

/* Returns the size of a regular file in bytes, or 0 for any other file. */
uint64_t io_size(int fd);
/*
 * Called at the end of file. Fails with HP_IO if another process has truncated
 * the file before it was read completely. `size` is the io_size of the file
 * when it was opened. A file of /sys may end before its size, which is no
 * error.
 */
int io_check_end(int fd, uint64_t size, const char *name, struct hp_err *);

/* Raises the limit on open descriptors to its maximum. */
void io_open_many(void);

/*
 * Returns a copy of the directory part of a path; the caller frees it. Returns
 * NULL and sets errno on failure.
 */
char *io_directory(const char *path);

#endif
