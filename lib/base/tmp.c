#include <sys/stat.h>
#include <sys/statvfs.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/names.h"
#include "base/tmp.h"

enum {
	USUAL = 3 /* candidate directories without -T */
};

/*
 * Creates a named file and unlinks it at once, for file systems without unnamed
 * files.
 */
static int
open_and_unlink(const char *dir)
{
	char *path, *name = NULL;
	int fd = -1, err;

	if (asprintf(&path, "%s/", dir) == -1)
		return -1;
	if ((name = names_add(path)) != NULL)
		fd = open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	if (fd != -1 && unlink(name) == -1) {
		err = errno;
		close(fd);
		unlink(name);
		errno = err;
		fd = -1;
	}
	free(path);
	if (name != NULL)
		names_drop(name);
	return fd;
}

static int
open_in(const char *dir)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd != -1 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	return open_and_unlink(dir);
}

char *
tmp_directory(int fd)
{
	char link[64], path[4096], *slash;
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	if ((slash = strrchr(path, '/')) != NULL)
		*slash = '\0';
	return strdup(path);
}

int
tmp_open_beside(int fd)
{
	char *dir = tmp_directory(fd);
	int beside = dir == NULL ? -1 : open_in(dir);

	free(dir);
	return beside;
}

static uint64_t
room(const char *dir)
{
	struct statvfs v;

	if (statvfs(dir, &v) == -1)
		return UINT64_MAX; /* unknown: the open or write will fail */
	return (uint64_t)v.f_bavail * v.f_frsize;
}

static bool
same_disk(const char *a, const char *b)
{
	struct stat x, y;

	return b != NULL && stat(a, &x) == 0 && stat(b, &y) == 0 &&
	    x.st_dev == y.st_dev;
}

int
tmp_output_fits(const struct tmpdirs *t, int fd, struct hp_err *e)
{
	struct statvfs v;
	struct stat st;
	uint64_t have;

	if (t->output == NULL || t->output_need == 0 || fstat(fd, &st) == -1 ||
	    !S_ISREG(st.st_mode) || fstatvfs(fd, &v) == -1)
		return 0;
	have = (uint64_t)(geteuid() == 0 ? v.f_bfree : v.f_bavail) * v.f_frsize;
	have += (uint64_t)st.st_blocks * 512;
	if (have >= t->output_need)
		return 0;
	errno = ENOSPC;
	return hp_fail_errno(e, HP_IO,
	    "%s: output of %" PRIu64 " bytes (%" PRIu64 " are free)", t->output,
	    t->output_need, have);
}

struct search {
	const struct tmpdirs *dirs;
	/*
	 * `need` is the size of the temporary file in bytes. `least` is the
	 * number of free bytes that the error message asks for if no directory
	 * has enough. A directory on the same disk as the output must have room
	 * for both files.
	 */
	uint64_t need, least;
	char *beside; /* the output's directory, or NULL */
	char tried[HP_ERR_TEXT - 128];
};

/* Tries one directory. Appends the reason to `tried` if it cannot be used. */
static int
attempt(struct search *s, const char *dir)
{
	size_t len = strlen(s->tried), room_left = sizeof s->tried - len;
	uint64_t have = room(dir), need = s->need;
	int fd;

	if (need > 0 && same_disk(dir, s->beside))
		need += s->dirs->output_need;
	if (have < need) {
		snprintf(s->tried + len, room_left, "%s%s has %" PRIu64 " free",
		    len > 0 ? ", " : "", dir, have);
		s->least = need > s->least ? need : s->least;
		errno = ENOSPC;
		return -1;
	}
	if ((fd = open_in(dir)) == -1)
		snprintf(s->tried + len, room_left, "%s%s: %s",
		    len > 0 ? ", " : "", dir, strerror(errno));
	return fd;
}

size_t
tmp_places(const struct tmpdirs *t)
{
	return t->n > 0 ? t->n : USUAL;
}

/*
 * Returns candidate directory number i, or NULL if there is none. With -T only
 * the directories of -T are used.
 */
static const char *
place(const struct search *s, size_t i)
{
	const struct tmpdirs *t = s->dirs;
	const char *env = getenv("TMPDIR");
	const char *usual[USUAL] = { env != NULL && *env != '\0' ? env : NULL,
		s->beside, "/var/tmp" };

	return t->n > 0 ? t->dir[i] : usual[i];
}

static int
find(struct search *s, size_t turn)
{
	size_t n = tmp_places(s->dirs);
	int fd = -1;

	for (size_t i = 0; fd == -1 && i < n; i++) {
		const char *dir = place(s, (turn + i) % n);

		if (dir != NULL)
			fd = attempt(s, dir);
	}
	return fd;
}

/*
 * Finds the directory of the output.  That of a device or FIFO is not used:
 * /dev is in memory.
 */
static int
find_beside(struct search *s, struct hp_err *e)
{
	const char *output = s->dirs->output;
	struct stat st;

	if (output == NULL || (stat(output, &st) == 0 && !S_ISREG(st.st_mode)))
		return 0;
	if ((s->beside = io_directory(output)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "temporary file");
	return 0;
}

int
tmp_open(const struct tmpdirs *t, size_t turn, uint64_t need, struct hp_err *e)
{
	struct search s = { .dirs = t, .need = need, .least = need };
	int fd;

	if (find_beside(&s, e) == -1)
		return -1;
	fd = find(&s, turn);
	free(s.beside);
	if (fd != -1)
		return fd;
	if (s.least > need)
		return hp_fail(e, HP_IO,
		    "temporary file and output of %" PRIu64
		    " bytes together: no space (%s)",
		    s.least, s.tried);
	if (need > 0)
		return hp_fail(e, HP_IO,
		    "temporary file of %" PRIu64 " bytes: no space (%s)", need,
		    s.tried);
	return hp_fail(e, HP_IO, "temporary file: %s", s.tried);
}

int
tmp_fail_full(
    const struct tmpdirs *t, uint64_t need, uint64_t written, struct hp_err *e)
{
	/*
	 * Ask for more bytes than any directory has free, so that the search
	 * fails and lists all directories in its message.
	 */
	struct search s = { .dirs = t, .need = UINT64_MAX - t->output_need };
	int why = errno, fd;

	find_beside(&s, e);
	if ((fd = find(&s, 0)) != -1)
		close(fd);
	free(s.beside);
	errno = why;
	if (need > written)
		return hp_fail_errno(e, HP_IO,
		    "temporary files of %" PRIu64 " bytes (%s)", need, s.tried);
	return hp_fail_errno(e, HP_IO,
	    "temporary files of more than %" PRIu64 " bytes (%s)", written,
	    s.tried);
}
