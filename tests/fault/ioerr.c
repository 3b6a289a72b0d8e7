/*
 * A library for LD_PRELOAD that makes system calls fail.
 *
 *	HP_FAULT=CALL:N:ERRNO	the Nth call of CALL in the process fails
 *	HP_FAULT=CALL:N:-SIGNAL	it receives this signal at that moment
 *	HP_FAULT=short		reads and writes transfer less, often 1 byte
 *	HP_FAULT=slow:MS	execvp takes MS milliseconds longer
 *	HP_FAULT_MARK=FILE	this file is created when a call fails
 *	HP_FAULT_NAMES=1	unnamed files are not supported
 *
 * CALL is read (or pread), write (or pwrite, writev), pwrite alone, sync
 * (sync_file_range), close, rename, unlink, unlinkat, rmdir, linkat, open (with
 * O_CREAT), malloc or mmap. Calls inside libc, including stdio, are not
 *affected. Of close, only calls count that end the writing of a named file.
 *Other errors of close do not affect the result.
 */

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "named.h"

static char call[16];
static unsigned long at;
static int reason;
static bool brief;
static const char *mark;
static atomic_ulong count;

/*
 * Parses the environment variables without the functions that this library
 * replaces.
 */
__attribute__((constructor)) static void
configure(void)
{
	const char *s = getenv("HP_FAULT"), *colon;
	char *end;

	named = getenv("HP_FAULT_NAMES") != NULL;
	if (s == NULL)
		return;
	mark = getenv("HP_FAULT_MARK");
	brief = strcmp(s, "short") == 0;
	if (brief || (colon = strchr(s, ':')) == NULL ||
	    (size_t)(colon - s) >= sizeof call)
		return;
	at = strtoul(colon + 1, &end, 10);
	reason = *end == ':' ? atoi(end + 1) : EIO;
	memcpy(call, s, (size_t)(colon - s));
}

/* Returns whether the current call of this function must fail. */
static bool
fails(const char *name)
{
	if (at == 0 || strcmp(name, call) != 0 ||
	    atomic_fetch_add(&count, 1) + 1 != at)
		return false;
	if (mark != NULL)
		syscall(SYS_close,
		    syscall(
			SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0600));
	if (reason < 0) {
		kill(getpid(), -reason);
		return false;
	}
	errno = reason;
	return true;
}

static size_t
less(size_t n)
{
	if (!brief || n == 0)
		return n;
	return atomic_fetch_add(&count, 1) % 3 == 0 ? 1 : n - n / 3;
}

/*
 * Returns whether fd is a device.  A library may read its seed from
 * /dev/urandom, and programs need not handle a failure there.
 */
static bool
is_device(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISCHR(st.st_mode);
}

int
execvp(const char *file, char *const argv[])
{
	if (strcmp(call, "slow") == 0)
		usleep((useconds_t)at * 1000);
	return execvpe(file, argv, environ);
}

ssize_t
read(int fd, void *buf, size_t n)
{
	if (!is_device(fd) && fails("read"))
		return -1;
	return syscall(SYS_read, fd, buf, less(n));
}

ssize_t
pread(int fd, void *buf, size_t n, off_t off)
{
	return fails("read") ? -1 : syscall(SYS_pread64, fd, buf, less(n), off);
}

ssize_t
write(int fd, const void *buf, size_t n)
{
	/* Error messages must be printed. */
	if (fd == STDERR_FILENO)
		return syscall(SYS_write, fd, buf, n);
	return fails("write") ? -1 : syscall(SYS_write, fd, buf, less(n));
}

ssize_t
pwrite(int fd, const void *buf, size_t n, off_t off)
{
	if (fails("write") || fails("pwrite"))
		return -1;
	return syscall(SYS_pwrite64, fd, buf, less(n), off);
}

ssize_t
writev(int fd, const struct iovec *v, int n)
{
	if (fails("write"))
		return -1;
	if (brief && n > 0 && v[0].iov_len > 0)
		return syscall(
		    SYS_write, fd, v[0].iov_base, less(v[0].iov_len));
	return syscall(SYS_writev, fd, v, n);
}

int
sync_file_range(int fd, off_t off, off_t n, unsigned how)
{
	return fails("sync")
	    ? -1
	    : (int)syscall(SYS_sync_file_range, fd, off, n, how);
}

int
close(int fd)
{
	struct stat st;
	bool ends = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_nlink > 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
	int rc = (int)syscall(SYS_close, fd);

	/*
	 * Like close(2), this function closes the descriptor even if it fails.
	 */
	return ends && fails("close") ? -1 : rc;
}

int
open(const char *path, int flags, ...)
{
	va_list ap;
	int fd;

	if ((flags & O_CREAT) != 0 && fails("open"))
		return -1;
	va_start(ap, flags);
	fd = named_open(path, flags, ap);
	va_end(ap);
	return fd;
}

int
rename(const char *from, const char *to)
{
	if (fails("rename"))
		return -1;
	return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

int
unlink(const char *path)
{
	if (fails("unlink"))
		return -1;
	return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int
unlinkat(int dir, const char *path, int flags)
{
	if (fails("unlinkat"))
		return -1;
	return (int)syscall(SYS_unlinkat, dir, path, flags);
}

int
rmdir(const char *path)
{
	if (fails("rmdir"))
		return -1;
	return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

int
linkat(int fd, const char *from, int to_fd, const char *to, int flags)
{
	if (fails("linkat"))
		return -1;
	return (int)syscall(SYS_linkat, fd, from, to_fd, to, flags);
}

void *
mmap(void *addr, size_t n, int prot, int flags, int fd, off_t off)
{
	if (fails("mmap"))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, addr, n, prot, flags, fd, off);
}

/*
 * Allocation functions of glibc under their own names, so that free and realloc
 * accept their blocks.
 */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *
malloc(size_t n)
{
	return fails("malloc") ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return fails("malloc") ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return fails("malloc") ? NULL : __libc_realloc(p, n);
}
