#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/tmpfile.h"

/* "temporary file in DIR (N bytes needed in all)" */
static char *
describe(int fd, uint64_t need)
{
	char link[64], path[4096], *slash, *name;
	ssize_t n;
	int rc;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	if ((slash = strrchr(path, '/')) != NULL)
		*slash = '\0';
	if (need > 0)
		rc = asprintf(&name,
		    "temporary file in %s, %" PRIu64 " bytes needed", path,
		    need);
	else
		rc = asprintf(&name, "temporary file in %s", path);
	return rc == -1 ? NULL : name;
}

int
tmpfile_open(struct tmpfile *f, const struct tmpdirs *dirs, size_t turn,
    uint64_t room, uint64_t need, bool direct, struct hp_err *e)
{
	int fd = tmp_open(dirs, turn, room, e);

	*f = (struct tmpfile){ 0 };
	if (fd == -1)
		return -1;
	if ((f->name = describe(fd, need)) == NULL) {
		hp_fail_errno(e, HP_NOMEM, "temporary file");
		close(fd);
		return -1;
	}
	direct_init(&f->disk, fd, direct);
	return 0;
}

void
tmpfile_close(struct tmpfile *f)
{
	close(f->disk.fd);
	free(f->name);
}

/* Is there no room here, of the disk, of a quota or in a file? */
static bool
is_full(int errnum)
{
	return errnum == ENOSPC || errnum == EDQUOT || errnum == EFBIG;
}

int
tmpfile_write(struct tmpfile *f, const unsigned char *s, size_t n, off_t *at,
    struct hp_err *e)
{
	size_t whole = direct_align(n);

	if (f->full != 0)
		return 1;
	*at = atomic_fetch_add(&f->end, (off_t)whole);
	if (direct_write(&f->disk, s, f->disk.on ? whole : n, *at) == 0)
		return 0;
	if (!is_full(errno))
		return hp_fail_errno(e, HP_IO, "%s", f->name);
	f->full = errno;
	return 1;
}

int
tmpfile_read(struct tmpfile *f, unsigned char *to, size_t n, size_t least,
    off_t at, struct hp_err *e)
{
	ssize_t got = direct_read(&f->disk, to, n, least, at);

	if (got == -1)
		return hp_fail_errno(e, HP_IO, "%s", f->name);
	if ((size_t)got < least)
		return hp_fail(e, HP_IO, "%s: cut short", f->name);
	return 0;
}

void
tmpfile_free(struct tmpfile *f, off_t from, off_t to)
{
	if (from < to &&
	    fallocate(f->disk.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		from, to - from) == 0)
		f->full = 0;
}
