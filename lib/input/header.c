#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "input/header.h"

/* How many of the n bytes belong to the *left records that are to come. */
static size_t
belong(const struct format *f, const unsigned char *s, size_t n, uint64_t *left)
{
	const unsigned char *p = s, *end = s + n;

	while (*left > 0 && p < end) {
		p = memchr(p, f->delim, (size_t)(end - p));
		if (p == NULL)
			return n;
		p++;
		--*left;
	}
	return (size_t)(p - s);
}

static int
put(int to, const char *name, const void *bytes, size_t n, struct hp_err *e)
{
	if (to != -1 && io_write(to, bytes, n) == -1)
		return hp_fail_errno(e, HP_IO, "%s", name);
	return 0;
}

/* As many bytes as n records of a fixed size have. */
static int
take_fixed(int fd, const char *file, uint64_t bytes, int to,
    const char *to_name, struct hp_err *e)
{
	unsigned char buf[4096];
	ssize_t n = 1;

	for (; bytes > 0 && n > 0; bytes -= (uint64_t)n) {
		n = io_read(fd, buf, bytes < sizeof buf ? bytes : sizeof buf);
		if (n == -1)
			return hp_fail_errno(e, HP_IO, "%s", file);
		if (put(to, to_name, buf, (size_t)n, e) == -1)
			return -1;
	}
	return 0;
}

static int
take_lines(int fd, const char *file, const struct format *f, uint64_t left,
    int to, const char *to_name, struct hp_err *e)
{
	off_t at = lseek(fd, 0, SEEK_CUR);
	unsigned char buf[4096], last = f->delim;
	size_t ask = at == -1 ? 1 : sizeof buf, n;
	ssize_t got;

	while (left > 0) {
		if ((got = io_read(fd, buf, ask)) == -1)
			return hp_fail_errno(e, HP_IO, "%s", file);
		if (got == 0)
			break;
		n = belong(f, buf, (size_t)got, &left);
		if (put(to, to_name, buf, n, e) == -1)
			return -1;
		last = buf[n - 1];
		if (at != -1 && lseek(fd, at += (off_t)n, SEEK_SET) == -1)
			return hp_fail_errno(e, HP_IO, "%s", file);
	}
	return last == f->delim ? 0 : put(to, to_name, &f->delim, 1, e);
}

int
header_take(const char *file, const struct format *f, uint64_t n, int to,
    const char *to_name, struct hp_err *e)
{
	int fd = io_open(file, e), rc;
	uint64_t bytes;

	if (fd == -1)
		return -1;
	file = strcmp(file, "-") == 0 ? "standard input" : file;
	if (f->size == 0)
		rc = take_lines(fd, file, f, n, to, to_name, e);
	else {
		if (__builtin_mul_overflow(n, f->size, &bytes))
			bytes = UINT64_MAX;
		rc = take_fixed(fd, file, bytes, to, to_name, e);
	}
	if (rc == 0)
		return fd;
	io_close(fd);
	return -1;
}
