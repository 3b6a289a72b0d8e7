#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"

ssize_t
io_read(int fd, void *buf, size_t n)
{
	size_t done = 0;
	ssize_t r;

	while (done < n) {
		r = read(fd, (char *)buf + done, n - done);
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

ssize_t
io_pread(int fd, void *buf, size_t n, off_t at)
{
	size_t done = 0;
	ssize_t r;

	while (done < n) {
		r = pread(fd, (char *)buf + done, n - done, at + (off_t)done);
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

int
io_write(int fd, const void *buf, size_t n)
{
	const char *p = buf;
	ssize_t r;

	while (n > 0) {
		r = write(fd, p, n);
		if (r == -1 && errno == EINTR)
			continue;
		if (r == -1)
			return -1;
		p += r;
		n -= (size_t)r;
	}
	return 0;
}

int
io_pwrite(int fd, const void *buf, size_t n, off_t at)
{
	const char *p = buf;
	ssize_t r;

	while (n > 0) {
		r = pwrite(fd, p, n, at);
		if (r == -1 && errno == EINTR)
			continue;
		if (r == -1)
			return -1;
		p += r;
		at += r;
		n -= (size_t)r;
	}
	return 0;
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
