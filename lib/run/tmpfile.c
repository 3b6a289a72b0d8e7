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
