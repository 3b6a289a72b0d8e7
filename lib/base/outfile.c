#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/names.h"
#include "base/outfile.h"

static mode_t
new_file_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/*
 * Gives a name to an open file that has none. AT_EMPTY_PATH needs root, or
 * Linux 6.10 if the process itself opened the file. The fallback through /proc
 * works for everybody but is slower.
 */
static int
name_it(int fd, const char *name)
{
	char self[64];

	if (linkat(fd, "", AT_FDCWD, name, AT_EMPTY_PATH) == 0)
		return 0;
	if (errno != ENOENT && errno != EINVAL)
		return -1;
	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

static int
open_unnamed(const char *path)
{
	char *dir;
	int fd, err;

	if ((dir = io_directory(path)) == NULL)
		return -1;
	fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	free(dir);
	/*
	 * The file gets its name when it is complete. Test now whether linkat
	 * can name it: EEXIST means that it can.
	 */
	if (fd == -1 || name_it(fd, "/") == 0 || errno == EEXIST)
		return fd;
	err = errno == ENOENT ? EOPNOTSUPP : errno;
	close(fd);
	errno = err;
	return -1;
}

static int
open_named(struct outfile *o)
{
	if ((o->beside = names_add(o->target)) == NULL)
		return -1;
	return open(o->beside, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
}

/*
 * Returns true if path's directory is on the given device, so that a rename to
 * path works.
 */
static bool
same_device(const char *path, dev_t device)
{
	char *dir = io_directory(path);
	struct stat st;
	bool same = dir != NULL && stat(dir, &st) == 0 && st.st_dev == device;

	free(dir);
	return same;
}

int
outfile_own(int fd, const struct stat *old)
{
	mode_t mode = old == NULL ? new_file_mode() : old->st_mode & 07777;

	/*
	 * Only root can give the new file to the owner of the old file. Any
	 * other user must drop the set-user-ID bits.
	 */
	if (old != NULL &&
	    (old->st_uid != geteuid() || old->st_gid != getegid()) &&
	    fchown(fd, old->st_uid, old->st_gid) == -1)
		mode &= 0777;
	return fchmod(fd, mode);
}

/*
 * Returns the name to which a chain of symbolic links leads. The file of that
 * name does not exist yet.
 */
static char *
end_of_links(const char *path)
{
	char to[PATH_MAX], *name = strdup(path), *slash, *next;
	ssize_t len;

	while (name != NULL && (len = readlink(name, to, sizeof to)) > 0) {
		slash = *to == '/' ? NULL : strrchr(name, '/');
		if (asprintf(&next, "%.*s%.*s",
			slash == NULL ? 0 : (int)(slash - name + 1), name,
			(int)len, to) == -1)
			next = NULL;
		free(name);
		name = next;
	}
	return name;
}

/*
 * Recognizes names of standard output. The general code would replace the file
 * behind standard output and lose other data written there.
 */
static bool
is_standard_output(const char *path)
{
	static const char *const names[] = { "-", "/dev/stdout", "/dev/fd/1",
		"/proc/self/fd/1" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(path, names[i]) == 0)
			return true;
	return false;
}

/*
 * Returns the path that a commit to `path` renames to. Returns NULL for a
 * device or a FIFO, which is written directly, and on failure.
 */
static char *
find_target(const char *path)
{
	struct stat st;

	if (stat(path, &st) == -1)
		return end_of_links(path);
	return S_ISREG(st.st_mode) ? realpath(path, NULL) : NULL;
}

static bool
same_name(const char *a, const char *b)
{
	const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
	char *dir_a = io_directory(a), *dir_b = io_directory(b);
	struct stat x, y;
	bool same = strcmp(slash_a == NULL ? a : slash_a + 1,
			slash_b == NULL ? b : slash_b + 1) == 0 &&
	    dir_a != NULL && dir_b != NULL && stat(dir_a, &x) == 0 &&
	    stat(dir_b, &y) == 0 && x.st_dev == y.st_dev &&
	    x.st_ino == y.st_ino;

	free(dir_a);
	free(dir_b);
	return same;
}

bool
outfile_same(const char *a, const char *b)
{
	bool standard = is_standard_output(a), same;
	char *target_a, *target_b;

	if (standard && is_standard_output(b))
		return true;
	if (standard || is_standard_output(b))
		return io_overwrites(STDOUT_FILENO, standard ? b : a);
	target_a = find_target(a);
	target_b = find_target(b);
	same = target_a != NULL && target_b != NULL &&
	    same_name(target_a, target_b);
	free(target_a);
	free(target_b);
	return same;
}

int
outfile_open(struct outfile *o, const char *path, struct hp_err *e)
{
	struct stat st;
	bool exists;

	*o = (struct outfile){ .fd = STDOUT_FILENO, .name = "standard output" };
	if (path == NULL || is_standard_output(path))
		return 0;
	o->name = path;
	exists = stat(path, &st) == 0;
	if (!exists && (errno != ENOENT || *path == '\0'))
		return hp_fail_errno(e, HP_IO, "%s", path);
	if (exists && !S_ISREG(st.st_mode)) {
		o->fd = open(path, O_WRONLY | O_CLOEXEC);
		return o->fd == -1 ? hp_fail_errno(e, HP_IO, "%s", path) : 0;
	}
	if (exists && access(path, W_OK) == -1)
		return hp_fail_errno(e, HP_IO, "%s", path);
	/* A symbolic link is kept: the file that it points to is replaced. */
	o->target = exists ? realpath(path, NULL) : end_of_links(path);
	if (o->target == NULL)
		return hp_fail_errno(e, HP_IO, "%s", path);
	o->fd = open_unnamed(o->target);
	if (o->fd == -1 && (errno == EOPNOTSUPP || errno == EISDIR))
		o->fd = open_named(o);
	if (o->fd == -1 || outfile_own(o->fd, exists ? &st : NULL) == -1) {
		hp_fail_errno(e, HP_IO, "%s%s", path,
		    exists && o->fd == -1
			? ": cannot create a file in its directory"
			: "");
		outfile_abort(o);
		return -1;
	}
	return 0;
}

int
outfile_open_at(
    struct outfile *o, const char *path, uint64_t offset, struct hp_err *e)
{
	struct stat st;

	*o = (struct outfile){ .fd = -1, .name = path };
	if (path == NULL || is_standard_output(path))
		return hp_fail(e, HP_USAGE, "an offset needs a regular file");
	o->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (o->fd == -1 || fstat(o->fd, &st) == -1)
		hp_fail_errno(e, HP_IO, "%s", path);
	else if (!S_ISREG(st.st_mode))
		hp_fail(e, HP_INPUT, "%s: not a regular file", path);
	else if (offset > INT64_MAX ||
	    lseek(o->fd, (off_t)offset, SEEK_SET) == -1)
		hp_fail_errno(e, HP_IO, "%s", path);
	else
		return 0;
	outfile_abort(o);
	return -1;
}

int
outfile_take_up(struct outfile *o, const char *path, const char *beside,
    bool make, struct hp_err *e)
{
	struct stat st, new;
	bool exists = stat(path, &st) == 0;

	*o = (struct outfile){ .fd = -1, .name = path, .kept = true };
	if (exists && !S_ISREG(st.st_mode))
		return hp_fail(e, HP_INPUT, "%s: not a regular file", path);
	o->fd = open(beside, O_RDWR | O_CLOEXEC | (make ? O_CREAT : 0), 0600);
	if (o->fd == -1 && !make && errno == ENOENT)
		return 0;
	o->target = exists ? realpath(path, NULL) : strdup(path);
	o->beside = strdup(beside);
	if (o->fd == -1 || o->target == NULL || o->beside == NULL ||
	    fstat(o->fd, &new) == -1 ||
	    outfile_own(o->fd, exists ? &st : NULL) == -1) {
		hp_fail_errno(e, HP_IO, "%s", o->fd == -1 ? beside : path);
		outfile_abort(o);
		return -1;
	}
	if (same_device(o->target, new.st_dev))
		return 0;
	outfile_abort(o);
	return hp_fail(
	    e, HP_INPUT, "%s: must be on the file system of %s", beside, path);
}

/*
 * linkat cannot replace an existing file. So an unnamed file first gets a
 * temporary name in the target's directory; rename then moves it to the target.
 */
static int
link_beside(struct outfile *o)
{
	if ((o->beside = names_add(o->target)) == NULL)
		return -1;
	return name_it(o->fd, o->beside);
}

/* Does those steps of outfile_commit that may fail for lack of disk space. */
static int
prepare(struct outfile *o, struct hp_err *e)
{
	int fd = o->fd, rc = 0;

	if (o->target != NULL && o->beside == NULL)
		rc = link_beside(o);
	/*
	 * cmd_finish closes standard output and checks the result, so do not
	 * close it here.
	 */
	if (rc == 0 && fd > STDOUT_FILENO) {
		o->fd = -1;
		rc = close(fd);
	}
	return rc == 0 ? 0 : hp_fail_errno(e, HP_IO, "%s", o->name);
}

static void
forget_beside(struct outfile *o)
{
	if (o->kept)
		free(o->beside);
	else if (o->beside != NULL)
		names_drop(o->beside);
	o->beside = NULL;
}

static int
put_in_place(struct outfile *o, struct hp_err *e)
{
	if (o->target == NULL)
		return 0;
	if (rename(o->beside, o->target) == -1)
		return hp_fail_errno(e, HP_IO, "%s", o->name);
	forget_beside(o);
	return 0;
}

static int
commit(struct outfile *const *o, size_t n, struct hp_err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = prepare(o[i], e);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = put_in_place(o[i], e);
	for (size_t i = 0; i < n; i++)
		outfile_abort(o[i]);
	return rc;
}

/* Block signals, so that none ends the process between two renames. */
int
outfile_commit_all(struct outfile *const *o, size_t n, struct hp_err *e)
{
	sigset_t all, before;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	rc = commit(o, n, e);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

int
outfile_commit(struct outfile *o, struct hp_err *e)
{
	return outfile_commit_all(&o, 1, e);
}

void
outfile_abort(struct outfile *o)
{
	if (o->fd > STDOUT_FILENO)
		close(o->fd);
	if (o->beside != NULL && !o->kept)
		unlink(o->beside);
	forget_beside(o);
	free(o->target);
	*o = (struct outfile){ .fd = -1, .name = o->name };
}
