#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/outfile.h"
#include "base/random.h"
#include "files.h"
#include "printed.h"
#include "words.h"

char *
files_absolute(const struct run *run, const char *path, struct hp_err *e)
{
	char *absolute;

	if (path[0] == '/')
		absolute = strdup(path);
	else if (asprintf(&absolute, "%s/%s",
		     strcmp(run->cwd, "/") == 0 ? "" : run->cwd, path) == -1)
		absolute = NULL;
	if (absolute == NULL)
		hp_fail_errno(e, HP_NOMEM, "%s", path);
	return absolute;
}

static bool
is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int
check_operand(const char *path, struct hp_err *e)
{
	if (access(path, R_OK) == -1)
		return hp_fail_errno(e, HP_IO, "%s", path);
	if (is_directory(path)) {
		errno = EISDIR;
		return hp_fail_errno(e, HP_IO, "%s", path);
	}
	return 0;
}

/*
 * Returns true if the input is a single regular file, which nodes can read
 * without a copy.  Files in /proc and /dev, except in /dev/shm, are copied:
 * their names mean other files in other processes, or they report no size.
 */
static bool
read_in_place(const struct run *run)
{
	const char *file = run->o.file[0];
	struct stat st;

	return run->o.nfiles == 1 && run->o.header == 0 &&
	    (strncmp(file, "/dev/", 5) != 0 ||
		strncmp(file, "/dev/shm/", 9) == 0) &&
	    strncmp(file, "/proc/", 6) != 0 && strcmp(file, "-") != 0 &&
	    stat(file, &st) == 0 && S_ISREG(st.st_mode);
}

static int
find_input(struct run *run, struct hp_err *e)
{
	if (run->o.in_place != NULL || run->o.mode == MODE_COUNT)
		return 0;
	run->operand = calloc((size_t)run->o.nfiles + 1, sizeof *run->operand);
	if (run->operand == NULL)
		return hp_fail_errno(e, HP_NOMEM, "operands");
	for (int i = 0; i < run->o.nfiles; i++) {
		const char *file = run->o.file[i];

		if (strcmp(file, "-") != 0 && !run->o.dry &&
		    check_operand(file, e) == -1)
			return -1;
		run->operand[i] = strcmp(file, "-") == 0
		    ? strdup(file)
		    : files_absolute(run, file, e);
		if (run->operand[i] == NULL)
			return hp_fail_errno(e, HP_NOMEM, "operands");
	}
	run->from_store = !read_in_place(run);
	if (run->from_store && run->o.shared)
		return hp_fail(e, HP_IO, "--shared: needs one regular file");
	if (!run->from_store && (run->input = strdup(run->operand[0])) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "operands");
	return 0;
}

/*
 * Makes the descriptor the standard output of hprun, so that the result goes to
 * its pipe or device.  A step could open a named pipe by its path, but it does
 * not inherit this descriptor.
 */
static int
take_descriptor(int fd, const char *path, struct hp_err *e)
{
	return dup2(fd, STDOUT_FILENO) == -1
	    ? hp_fail_errno(e, HP_IO, "%s", path)
	    : 0;
}

/*
 * Resolves links like realpath(3), but the last component of the path need not
 * exist.  The caller frees the result.
 */
static char *
resolved(const char *path)
{
	char target[PATH_MAX], *directory, *full, *next;
	ssize_t n;

	if ((full = realpath(path, NULL)) != NULL || errno != ENOENT)
		return full;
	if ((n = readlink(path, target, sizeof target - 1)) > 0) {
		target[n] = '\0';
		if (target[0] == '/')
			return resolved(target);
		directory = io_directory(path);
		if (directory == NULL ||
		    asprintf(&next, "%s/%s", directory, target) == -1)
			next = NULL;
		free(directory);
		full = next == NULL ? NULL : resolved(next);
		free(next);
		return full;
	}
	directory = io_directory(path);
	next = directory == NULL ? NULL : realpath(directory, NULL);
	free(directory);
	if (next == NULL)
		return NULL;
	if (asprintf(&full, "%s/%s", strcmp(next, "/") == 0 ? "" : next,
		strrchr(path, '/') + 1) == -1)
		full = NULL;
	free(next);
	return full;
}

/* Checks that a file can be created or replaced at the path. */
static int
check_writable(const char *path, struct hp_err *e)
{
	char *directory = io_directory(path);
	int rc = 0;

	if (directory == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", path);
	if (access(path, F_OK) == 0 ? access(path, W_OK) == -1
				    : access(directory, F_OK) == -1)
		rc = hp_fail_errno(e, HP_IO, "%s", path);
	free(directory);
	return rc;
}

/*
 * Chooses the temporary name of the output file.  The file is renamed when the
 * proof of the result has succeeded.
 */
static int
name_beside(struct run *run, const char *tag, struct hp_err *e)
{
	char *directory = io_directory(run->output);
	int n = -1;

	free(run->beside);
	if (directory != NULL)
		n = asprintf(&run->beside, "%s/.hprun.%s",
		    strcmp(directory, "/") == 0 ? "" : directory, tag);
	free(directory);
	if (n != -1)
		return 0;
	run->beside = NULL;
	return hp_fail_errno(e, HP_NOMEM, "%s", run->o.output);
}

static bool
same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	    x.st_ino == y.st_ino;
}

/* Returns the first of the run's other files that is also this one, or NULL. */
static const char *
other_use(const struct run *run, const char *path)
{
	const char *other[] = { run->o.cluster, run->o.random_source,
		run->o.weights, run->o.profile_key };
	struct stat st;

	/* A device or pipe may serve several purposes. */
	if (stat(path, &st) == -1 || !S_ISREG(st.st_mode))
		return NULL;
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (other[i] != NULL && same_file(other[i], path))
			return other[i];
	return NULL;
}

static int
find_output(struct run *run, struct hp_err *e)
{
	char *path, *directory;
	const char *other;
	struct stat st;
	int rc, fd;

	if (run->o.output == NULL || strcmp(run->o.output, "-") == 0)
		return 0;
	fd = descriptor_of(run->o.output);
	if (fd == STDOUT_FILENO)
		return 0;
	if (fd != -1 && fcntl(fd, F_GETFD) == -1)
		return hp_fail_errno(e, HP_IO, "%s", run->o.output);
	if (is_directory(run->o.output)) {
		errno = EISDIR;
		return hp_fail_errno(e, HP_IO, "%s", run->o.output);
	}
	if ((other = other_use(run, run->o.output)) != NULL)
		return hp_fail(e, HP_USAGE,
		    "-o: '%s' is named by another option, too", other);
	if (check_writable(run->o.output, e) == -1 ||
	    (path = files_absolute(run, run->o.output, e)) == NULL)
		return -1;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		if (fd != -1 && !run->o.dry && !run->o.estimate) {
			free(path);
			return take_descriptor(fd, run->o.output, e);
		}
		/* A device or pipe is written to, never replaced. */
		run->output = path;
		return 0;
	}
	run->output = resolved(path);
	free(path);
	if (run->output == NULL ||
	    (directory = io_directory(run->output)) == NULL)
		return hp_fail_errno(e, HP_IO, "%s", run->o.output);
	rc = access(directory, W_OK) == -1
	    ? hp_fail_errno(e, HP_IO, "%s", run->o.output)
	    : name_beside(run, run_tag(run), e);
	free(directory);
	return rc;
}

/*
 * Returns true if both paths name one regular file.  Compares inodes, or names
 * if the file does not exist yet.  A device or pipe may serve several purposes.
 */
static bool
same_name(const char *resolved_path, const char *path)
{
	char *other = resolved(path);
	bool same = same_file(resolved_path, path) ||
	    (other != NULL && strcmp(resolved_path, other) == 0);
	struct stat st;

	free(other);
	return same && (stat(path, &st) == -1 || S_ISREG(st.st_mode));
}

static int
find_trace(struct run *run, struct hp_err *e)
{
	struct stat st;
	const char *other;

	if (run->o.trace == NULL)
		return 0;
	if ((run->trace = files_absolute(run, run->o.trace, e)) == NULL)
		return -1;
	if (is_directory(run->trace)) {
		errno = EISDIR;
		return hp_fail_errno(e, HP_IO, "%s", run->trace);
	}
	if (check_writable(run->trace, e) == -1)
		return -1;
	if (run->output != NULL && same_name(run->output, run->trace))
		return hp_fail(e, HP_USAGE,
		    "--trace: '%s' is an input or the output", run->output);
	if ((other = other_use(run, run->trace)) != NULL)
		return hp_fail(e, HP_USAGE,
		    "--trace: '%s' is named by another option, too", other);
	if (stat(run->trace, &st) == -1) {
		char *directory = io_directory(run->trace);
		int rc = directory == NULL || access(directory, W_OK) == -1
		    ? hp_fail_errno(e, HP_IO, "%s", run->trace)
		    : 0;

		free(directory);
		return rc;
	}
	/* A device or pipe may be trace and input at once. */
	if (!S_ISREG(st.st_mode))
		return 0;
	for (int i = 0; i < run->o.nfiles; i++)
		if (same_file(run->o.file[i], run->trace))
			return hp_fail(e, HP_USAGE,
			    "--trace: '%s' is an input or the output",
			    run->o.file[i]);
	return 0;
}

int
files_find(struct run *run, struct hp_err *e)
{
	if (run->o.random_source != NULL &&
	    (run->random_source = files_absolute(
		 run, run->o.random_source, e)) == NULL)
		return -1;
	if (find_input(run, e) == -1 || find_output(run, e) == -1)
		return -1;
	return find_trace(run, e);
}

/*
 * Registers the output file with the guard process before creating it.  So the
 * guard removes the file even if hprun is killed in between.
 */
int
files_make_beside(struct run *run, struct hp_err *e)
{
	struct hp_err ignored = { 0 };
	int fd;

	if (run->beside == NULL || run->o.dry)
		return 0;
	if (run->resumed) {
		/*
		 * If the guard of the earlier run was killed, its temporary
		 * output file still exists.
		 */
		if (name_beside(run, run->tag, e) == -1)
			return -1;
		unlink(run->beside);
	}
	if (guard_register(run->guard, run->beside, false, e) == -1)
		return -1;
	/*
	 * O_EXCL: an existing file with this name belongs to somebody else.
	 * Until it replaces the output, nobody else may read it.
	 */
	fd = open(run->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd == -1) {
		hp_fail_errno(e, HP_IO, "%s", run->output);
		guard_forget(run->guard, run->beside, &ignored);
		return -1;
	}
	return close(fd) == -1 ? hp_fail_errno(e, HP_IO, "%s", run->output) : 0;
}

int
files_appear(struct run *run, uint64_t bytes, struct hp_err *e)
{
	struct stat old, made;
	bool exists;
	int fd, rc = 0;

	if (run->o.dry)
		return print_appear(run, e);
	exists = stat(run->output, &old) == 0;
	if ((fd = open(run->beside, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)) == -1)
		return hp_fail_errno(e, HP_IO, "%s", run->output);
	if (fstat(fd, &made) == -1 ||
	    outfile_own(fd, exists ? &old : NULL) == -1)
		rc = hp_fail_errno(e, HP_IO, "%s", run->output);
	else if ((uint64_t)made.st_size != bytes)
		rc = hp_fail(e, HP_IO, "%s: has the wrong size", run->output);
	if (close(fd) == -1 && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", run->output);
	if (rc == 0 && rename(run->beside, run->output) == -1)
		rc = hp_fail_errno(e, HP_IO, "%s", run->output);
	return rc == -1 ? -1 : guard_forget(run->guard, run->beside, e);
}

uint64_t
files_input_bytes(const struct run *run)
{
	uint64_t all = 0;
	struct stat st;

	for (int i = 0; run->operand != NULL && i < run->o.nfiles; i++) {
		if (strcmp(run->operand[i], "-") == 0 ||
		    stat(run->operand[i], &st) == -1 || !S_ISREG(st.st_mode))
			return 0;
		all += (uint64_t)st.st_size;
	}
	return all;
}
