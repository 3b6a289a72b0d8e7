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

#include "base/tmp.h"

static int
open_in(const char *dir)
{
	char path[4096];
	int fd;

	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd != -1 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	if ((size_t)snprintf(path, sizeof path, "%s/hp.XXXXXXXX", dir) >=
	    sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if ((fd = mkostemp(path, O_CLOEXEC)) != -1)
		unlink(path);
	return fd;
}

static uint64_t
room(const char *dir)
{
	struct statvfs v;

	if (statvfs(dir, &v) == -1)
		return UINT64_MAX; /* unknown: let the open or write tell */
	return (uint64_t)v.f_bavail * v.f_frsize;
}

/* Try one directory; note in tried why it would not do. */
static int
attempt(const char *dir, uint64_t need, char *tried, size_t cap)
{
	size_t len = strlen(tried);
	uint64_t have = room(dir);
	int fd;

	if (have < need) {
		snprintf(tried + len, cap - len, "%s%s has %" PRIu64,
		    len > 0 ? ", " : "", dir, have);
		errno = ENOSPC;
		return -1;
	}
	if ((fd = open_in(dir)) == -1)
		snprintf(tried + len, cap - len, "%s%s: %s",
		    len > 0 ? ", " : "", dir, strerror(errno));
	return fd;
}

/* What is beside /dev/null is in memory, and not meant for files. */
static bool
is_device(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

int
tmp_open(const struct tmpdirs *t, size_t turn, uint64_t need, struct hp_err *e)
{
	char tried[HP_ERR_TEXT - 128] = "", *out = NULL, *slash;
	const char *env = getenv("TMPDIR");
	int fd = -1;

	for (size_t i = 0; fd == -1 && i < t->n; i++)
		fd = attempt(
		    t->dir[(turn + i) % t->n], need, tried, sizeof tried);
	/* Who names directories means those and no others. */
	if (fd != -1 || t->n > 0)
		goto done;
	if (env != NULL && *env != '\0')
		fd = attempt(env, need, tried, sizeof tried);
	if (fd == -1 && t->output != NULL && !is_device(t->output)) {
		if ((out = strdup(t->output)) == NULL)
			return hp_fail_errno(e, HP_NOMEM, "temporary file");
		if ((slash = strrchr(out, '/')) != NULL)
			slash[slash == out] = '\0';
		fd = attempt(
		    slash == NULL ? "." : out, need, tried, sizeof tried);
		free(out);
	}
	if (fd == -1)
		fd = attempt("/var/tmp", need, tried, sizeof tried);
done:
	if (fd == -1 && need > 0)
		return hp_fail(e, HP_IO,
		    "temporary file of %" PRIu64 " bytes: no room (%s)", need,
		    tried);
	if (fd == -1)
		return hp_fail(e, HP_IO, "temporary file: %s", tried);
	return fd;
}
