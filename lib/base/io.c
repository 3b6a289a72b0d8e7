#include <sys/resource.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"

enum {
	NOWHERE = -1 /* read or write at the descriptor's offset */
};

static ssize_t
read_all(int fd, char *p, size_t n, off_t at)
{
	size_t done = 0;
	ssize_t r;

	while (done < n) {
		r = at == NOWHERE
		    ? read(fd, p + done, n - done)
		    : pread(fd, p + done, n - done, at + (off_t)done);
		if (r == -1 && errno == EINTR)
			continue;
		if (r == -1)
			return -1;
		if (r == 0)
			break;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

static int
write_all(int fd, const char *p, size_t n, off_t at)
{
	size_t done = 0;
	ssize_t r;

	while (done < n) {
		r = at == NOWHERE
		    ? write(fd, p + done, n - done)
		    : pwrite(fd, p + done, n - done, at + (off_t)done);
		if (r == -1 && errno == EINTR)
			continue;
		if (r == -1)
			return -1;
		done += (size_t)r;
	}
	return 0;
}

ssize_t
io_read(int fd, void *buf, size_t n)
{
	return read_all(fd, buf, n, NOWHERE);
}

ssize_t
io_pread(int fd, void *buf, size_t n, off_t at)
{
	return read_all(fd, buf, n, at);
}

int
io_write(int fd, const void *buf, size_t n)
{
	return write_all(fd, buf, n, NOWHERE);
}

int
io_pwrite(int fd, const void *buf, size_t n, off_t at)
{
	return write_all(fd, buf, n, at);
}

int
io_whole_lines(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END), end = size;
	const char *newline = NULL;
	char text[4096];
	ssize_t n;

	while (end > 0 && newline == NULL) {
		n = end < (off_t)sizeof text ? end : (off_t)sizeof text;
		end -= n;
		if ((n = io_pread(fd, text, (size_t)n, end)) == -1)
			return -1;
		newline = memrchr(text, '\n', (size_t)n);
	}
	if (newline != NULL)
		end += newline + 1 - text;
	return size == -1 || (end < size && ftruncate(fd, end) == -1) ? -1 : 0;
}

int
io_open(const char *path, struct hp_err *e)
{
	int fd;

	if (strcmp(path, "-") == 0)
		return STDIN_FILENO;
	while ((fd = open(path, O_RDONLY | O_CLOEXEC)) == -1)
		if (errno != EINTR)
			return hp_fail_errno(e, HP_IO, "%s", path);
	return fd;
}

void
io_close(int fd)
{
	if (fd > STDIN_FILENO)
		close(fd);
}

static bool
same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool
io_has_name(int fd, int at, const char *name, int flags)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && fstatat(at, name, &b, flags) == 0 &&
	    same_file(&a, &b);
}

bool
io_overwrites(int fd, const char *path)
{
	bool standard = strcmp(path, "-") == 0;
	struct stat a, b;

	return fstat(fd, &a) == 0 && S_ISREG(a.st_mode) &&
	    (standard ? fstat(STDIN_FILENO, &b) : stat(path, &b)) == 0 &&
	    same_file(&a, &b);
}

uint64_t
io_size(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size
							  : 0;
}

int
io_check_end(int fd, uint64_t size, const char *name, struct hp_err *e)
{
	off_t at = lseek(fd, 0, SEEK_CUR);

	if (at == -1 || (uint64_t)at >= size || io_size(fd) >= size)
		return 0;
	return hp_fail(e, HP_IO, "%s: cut short while it was read", name);
}

void
io_open_many(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

char *
io_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}
