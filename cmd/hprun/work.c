#include <sys/file.h>
#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "doc/lines.h"
#include "file.h"
#include "files.h"
#include "identity.h"
#include "slurm.h"
#include "work.h"

/*
 * Makes the work directory in the directory `place`.  Returns 0, or -1 with
 * errno set.
 */
static int
make_in(struct run *run, const char *place)
{
	struct hp_err ignored = { 0 };
	char *path;
	int error;

	if (asprintf(&path, "%s%s%s/hprun.%s", place[0] == '/' ? "" : run->cwd,
		place[0] == '/' ? "" : "/", place, run_tag(run)) == -1)
		return -1;
	run->work = path;
	if (run->o.dry)
		return 0;
	/*
	 * Register the directory before making it, so that the guard process
	 * removes it whenever hprun is killed.
	 */
	if (guard_register(run->guard, path, false, &ignored) == 0 &&
	    mkdir(path, 0700) == 0)
		return 0;
	error = errno;
	guard_forget(run->guard, path, &ignored);
	free(path);
	run->work = NULL;
	errno = error;
	return -1;
}

/*
 * Makes the work directory in the directory of -T.  Without -T, tries $TMPDIR
 * or Slurm's scratch directory, the directory of the output, and /var/tmp.
 */
static int
make_new(struct run *run, struct hp_err *e)
{
	char *beside = run->beside == NULL ? NULL : io_directory(run->beside);
	char *scratch = slurm_is_used(run) ? slurm_scratch(run) : NULL;
	const char *places[] = { run->o.tmpdir != NULL ? run->o.tmpdir
		    : scratch != NULL		       ? scratch
						       : getenv("TMPDIR"),
		beside, "/var/tmp" };
	size_t n = run->o.tmpdir != NULL ? 1 : 3;
	int rc = -1;

	for (size_t i = 0; rc == -1 && i < n; i++) {
		if (places[i] == NULL || *places[i] == '\0')
			continue;
		if ((rc = make_in(run, places[i])) == -1)
			hp_fail_errno(e, HP_IO,
			    "no place for temporary files: %s", places[i]);
	}
	free(beside);
	free(scratch);
	return rc;
}

/*
 * Makes a directory and its parents, like mkdir -p.  Only the owner can access
 * the last directory.
 */
static int
make_path(char *path, struct hp_err *e)
{
	for (char *s = path + 1;; s++) {
		char end = *s;

		if (end != '/' && end != '\0')
			continue;
		*s = '\0';
		if (mkdir(path, end == '\0' ? 0700 : 0777) == -1 &&
		    errno != EEXIST) {
			hp_fail_errno(
			    e, HP_IO, "cannot create directory '%s'", path);
			*s = end;
			return -1;
		}
		*s = end;
		if (end == '\0')
			return 0;
	}
}

/*
 * Tries once to lock the directory until this process ends. Returns 1 if it is
 * locked. Returns 0 if another run holds the lock, or held it and has removed
 * the directory. Returns -1 with errno on error.
 */
static int
try_lock(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), why = ENOENT;

	if (fd == -1)
		return errno == ENOENT ? 0 : -1;
	if (flock(fd, LOCK_EX | LOCK_NB) == -1)
		why = errno;
	else if (io_has_name(fd, AT_FDCWD, path, 0))
		return 1;
	close(fd);
	errno = why;
	return why == ENOENT || why == EWOULDBLOCK || why == EINTR ? 0 : -1;
}

/*
 * Makes the directory of --keep if it is missing.  It must belong to this user,
 * because a resumed run trusts its files.
 */
static int
make_own(struct run *run, struct hp_err *e)
{
	struct stat st;

	if (make_path(run->work, e) == -1)
		return -1;
	if (stat(run->work, &st) == -1) {
		if (errno != ENOENT)
			return hp_fail_errno(e, HP_IO, "%s", run->o.keep);
		if (lstat(run->work, &st) == 0 && S_ISLNK(st.st_mode))
			return hp_fail(e, HP_IO,
			    "%s: a symbolic link to a missing file",
			    run->o.keep);
		return 0; /* another run has just removed it */
	}
	if (st.st_uid != geteuid())
		return hp_fail(
		    e, HP_IO, "%s: belongs to another user", run->o.keep);
	return 0;
}

/*
 * Makes and locks the work directory.  Another run may be removing it, so wait
 * for its lock for a limited time.
 */
static int
lock(struct run *run, struct hp_err *e)
{
	double end_s = clock_now_s() + (double)run->o.timeout_s / 10 + 3;
	int rc;

	for (;; usleep(20000)) {
		if (make_own(run, e) == -1)
			return -1;
		if ((rc = try_lock(run->work)) == -1)
			return hp_fail_errno(e, HP_IO, "%s", run->o.keep);
		if (rc == 1)
			return 0;
		if (clock_now_s() > end_s)
			return hp_fail(e, HP_IO,
			    "%s: belongs to a run that is still running",
			    run->o.keep);
	}
}

static bool
is_empty(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *f = NULL;

	while (d != NULL && (f = readdir(d)) != NULL &&
	    (strcmp(f->d_name, ".") == 0 || strcmp(f->d_name, "..") == 0))
		;
	if (d != NULL)
		closedir(d);
	return f == NULL;
}

static int
check_empty(const struct run *run, struct hp_err *e)
{
	if (is_empty(run->work))
		return 0;
	errno = ENOTEMPTY;
	return hp_fail_errno(e, HP_IO, "%s", run->o.keep);
}

/* Locks and enters the directory of --keep. */
static int
enter_kept(struct run *run, bool empty, struct hp_err *e)
{
	/*
	 * Check before locking: a new run must not wait until another run
	 * unlocks its directory.
	 */
	if ((empty && check_empty(run, e) == -1) || lock(run, e) == -1 ||
	    (empty && check_empty(run, e) == -1))
		return -1;
	if (chdir(run->work) == -1)
		return hp_fail_errno(e, HP_IO, "%s", run->work);
	return 0;
}

/* Begins a new run for --keep.  The directory must be empty. */
static int
make_kept(struct run *run, struct hp_err *e)
{
	if (enter_kept(run, true, e) == -1)
		return -1;
	if (chmod(".", 0700) == -1)
		return hp_fail_errno(e, HP_IO, "%s", run->o.keep);
	return guard_register(run->guard, run->work, true, e);
}

/*
 * Reads the state of a kept run for --resume.  A run that ended before it wrote
 * its identity has no state, so the run begins again.
 */
static int
take_up(struct run *run, struct hp_err *e)
{
	bool there = access(run->work, F_OK) == 0;

	if (enter_kept(run, false, e) == -1)
		return -1;
	if (!there || is_empty(".") || identity_unfinished()) {
		run_say(run, "%s: nothing is kept there yet: the run begins",
		    run->o.keep);
		if (chmod(".", 0700) == -1)
			return hp_fail_errno(e, HP_IO, "%s", run->o.keep);
		return guard_register(run->guard, run->work, true, e);
	}
	if (access("identity", F_OK) == -1)
		return hp_fail(
		    e, HP_IO, "%s: no run was kept there", run->o.keep);
	run->resumed = true;
	if (identity_check(run, e) == -1)
		return -1;
	run->began = true;
	return guard_register(run->guard, run->work, true, e);
}

/* The messages to agents name the directory, and must be UTF-8. */
static int
check_name(const struct run *run, struct hp_err *e)
{
	return doc_is_text(run->work)
	    ? 0
	    : hp_fail(e, HP_INPUT, "%s: the name of the directory is not UTF-8",
		  run->work);
}

int
work_enter(struct run *run, struct hp_err *e)
{
	if (run->o.keep == NULL) {
		if (make_new(run, e) == -1 || check_name(run, e) == -1)
			return -1;
		if (!run->o.dry && chdir(run->work) == -1)
			return hp_fail_errno(e, HP_IO, "%s", run->work);
	} else {
		run_tag(run);
		if ((run->work = files_absolute(run, run->o.keep, e)) == NULL)
			return -1;
		if (check_name(run, e) == -1)
			return -1;
		if (!run->o.dry &&
		    (run->o.resume ? take_up(run, e) : make_kept(run, e)) == -1)
			return -1;
	}
	if (run->from_store && run->input == NULL &&
	    asprintf(&run->input, "%s/input", run->work) == -1)
		return hp_fail_errno(e, HP_NOMEM, "input");
	if (run->ranges == NULL &&
	    asprintf(&run->ranges, "%s/ranges", run->work) == -1)
		return hp_fail_errno(e, HP_NOMEM, "input");
	return 0;
}

/* Names the directory of --keep in an error about one of its files. */
static void
name_kept(const struct run *run, struct hp_err *e)
{
	struct hp_err named = *e;

	snprintf(named.text, sizeof named.text, "%.*s: %.*s",
	    HP_ERR_TEXT / 2 - 4, run->o.keep, HP_ERR_TEXT / 2 - 4, e->text);
	*e = named;
}

int
work_identify(struct run *run, struct hp_err *e)
{
	if (run->o.keep == NULL || run->o.dry)
		return 0;
	if (identity_write(run, e) == -1) {
		name_kept(run, e);
		return -1;
	}
	run->began = true;
	return 0;
}

void
work_leave(struct run *run)
{
	if (run->cwd == NULL || chdir(run->cwd) == -1)
		(void)!chdir("/");
}
