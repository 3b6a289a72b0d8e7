#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "job/naming.h"

/* The note, in the node's directory, and its name while it is written. */
#define NOTE "naming"
#define NEW_NOTE "naming.new"

enum {
	NOTE_MOST = 128
};

/* What does not change when a file is renamed. */
static void
describe(const struct stat *st, char text[NOTE_MOST])
{
	snprintf(text, NOTE_MOST, "%ju %ju %ju %jd.%09ld\n",
	    (uintmax_t)st->st_dev, (uintmax_t)st->st_ino,
	    (uintmax_t)st->st_size, (intmax_t)st->st_mtim.tv_sec,
	    st->st_mtim.tv_nsec);
}

static int
write_note(int dir, const char *text)
{
	int fd = openat(dir, NEW_NOTE,
	    O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	int rc;

	if (fd == -1)
		return -1;
	rc = io_write(fd, text, strlen(text)) == -1 ? -1 : fdatasync(fd);
	if (close(fd) == -1 || rc == -1 ||
	    renameat(dir, NEW_NOTE, dir, NOTE) == -1)
		return -1;
	return fsync(dir);
}

static int
open_directory(const char *dir)
{
	return open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int
note(const char *dir, const char *from)
{
	char text[NOTE_MOST];
	struct stat st;
	int fd, rc;

	if (lstat(from, &st) == -1 || (fd = open_directory(dir)) == -1)
		return -1;
	describe(&st, text);
	rc = write_note(fd, text);
	close(fd);
	return rc;
}

bool
naming_begun(const char *dir)
{
	int fd = open_directory(dir);
	bool begun = fd != -1 && faccessat(fd, NOTE, F_OK, 0) == 0;

	if (fd != -1)
		close(fd);
	return begun;
}

bool
naming_done(const char *dir, const char *path)
{
	char now[NOTE_MOST], noted[NOTE_MOST] = "";
	struct stat st;
	int at = open_directory(dir), fd;
	bool known;

	if (at == -1)
		return false;
	fd = openat(at, NOTE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	close(at);
	if (fd == -1)
		return false;
	known = io_pread(fd, noted, sizeof noted - 1, 0) != -1 &&
	    lstat(path, &st) == 0;
	close(fd);
	if (!known)
		return false;
	describe(&st, now);
	return strcmp(now, noted) == 0;
}

int
naming_do(const char *dir, const char *from, const char *to)
{
	struct stat st;

	if (lstat(from, &st) == -1 && errno == ENOENT && naming_done(dir, to))
		return 0;
	return note(dir, from) == -1 ? -1 : rename(from, to);
}
