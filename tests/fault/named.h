#ifndef HP_TEST_NAMED_H
#define HP_TEST_NAMED_H

/*
 * A replacement for open(2) in tests.  Once `named` is set, it behaves like a
 * file system without unnamed files (O_TMPFILE).  A kernel that
 * does not know the flag sets errno to EISDIR.
 *
 *	int
 *	open(const char *path, int flags, ...)
 *	{
 *		...
 *		va_start(ap, flags);
 *		fd = named_open(path, flags, ap);
 *		...
 */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>

static bool named;
static int named_error = EOPNOTSUPP;

static inline int
named_open(const char *path, int flags, va_list ap)
{
	mode_t mode = 0;

	if ((flags & (O_CREAT | O_TMPFILE)) != 0)
		mode = va_arg(ap, mode_t);
	if (named && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = named_error;
		return -1;
	}
	return openat(AT_FDCWD, path, flags, mode);
}

#endif
