#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doc/parts.h"
#include "files.h"
#include "scratch.h"
#include "words.h"

int
scratch_make(struct scratch *s, struct hp_err *e)
{
	if ((s->fd = memfd_create("estimate", MFD_CLOEXEC)) == -1)
		return hp_fail_errno(e, HP_IO, "estimate");
	snprintf(
	    s->name, sizeof s->name, "/proc/%d/fd/%d", (int)getpid(), s->fd);
	return 0;
}

void
scratch_fini(struct scratch *s)
{
	if (s->fd != -1)
		close(s->fd);
	s->fd = -1;
}

int
scratch_run(const struct run *run, const struct words *w,
    const struct scratch *to, struct hp_err *e)
{
	const char *program = w->stage->nomem ? "" : w->v[0];
	posix_spawn_file_actions_t files;
	char *path = NULL;
	int status = 0, bad;
	pid_t pid;

	if (w->stage->nomem ||
	    (run->home != NULL &&
		asprintf(&path, "%s/%s", run->home, program) == -1))
		return hp_fail(e, HP_NOMEM, "estimate");
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, to->fd, STDOUT_FILENO);
	bad = posix_spawnp(&pid, path != NULL ? path : program, &files, NULL,
	    (char *const *)(uintptr_t)w->v, environ);
	posix_spawn_file_actions_destroy(&files);
	free(path);
	if (bad != 0)
		return hp_fail(e, HP_IO, "%s: %s", program, strerror(bad));
	if (waitpid(pid, &status, 0) == -1)
		return hp_fail_errno(e, HP_IO, "%s", program);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return hp_fail(e,
	    WIFEXITED(status) && WEXITSTATUS(status) == 1 ? HP_NO : HP_IO,
	    "%s: failed", program);
}

/* Runs `hpsplit count` to count the records of one file. */
static int
count_file(struct run *run, char *file, uint64_t *n, struct hp_err *e)
{
	struct scratch to;
	struct stage s;
	struct words w;
	int rc = -1;

	stage_init(&s);
	w = ordered(run, &s, "hpsplit", "count");
	WORDS_ADD(&w, "-N", "0", file);
	if (scratch_make(&to, e) == 0) {
		if (scratch_run(run, &w, &to, e) == 0)
			rc = doc_total_read(to.name, n, e);
		scratch_fini(&to);
	}
	stage_fini(&s);
	return rc;
}

int
scratch_count(
    struct run *run, uint64_t *records, uint64_t *bytes, struct hp_err *e)
{
	uint64_t n;

	*records = 0;
	*bytes = files_input_bytes(run);
	for (char **file = run->operand; *file != NULL; file++) {
		struct stat st;

		if (strcmp(*file, "-") == 0 || stat(*file, &st) == -1 ||
		    !S_ISREG(st.st_mode))
			return hp_fail(e, HP_INPUT,
			    "--estimate and --use-fewer need files as input, "
			    "not a pipe");
		if (count_file(run, *file, &n, e) == -1)
			return -1;
		*records += n;
	}
	return 0;
}
