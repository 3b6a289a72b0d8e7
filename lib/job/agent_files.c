/* Actions that remove, make, measure and rename files of a node. */

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "job/agent_files.h"
#include "job/agent_open.h"
#include "job/agent_run.h"
#include "job/naming.h"

enum {
	TROUBLE = 2, /* exit status of a child process that failed */
	/*
	 * maximum bytes of files that the agent removes itself; a child process
	 * removes larger ones
	 */
	REMOVE_MOST = 1 << 30
};

static enum action_state
fail_file(const char *name, struct hp_err *why)
{
	hp_fail_errno(why, HP_IO, "%.900s", name);
	return ACTION_FAILED;
}

static enum action_state
remove_files(struct agent_step *s, char **words, struct hp_err *why)
{
	for (; *words != NULL; words++)
		if (unlinkat(s->dirfd, *words, 0) == -1 && errno != ENOENT)
			return fail_file(*words, why);
	return ACTION_DONE;
}

struct removal {
	struct agent_step *step;
	char **words;
};

static int
remove_in_child(void *context)
{
	struct removal *r = context;
	struct hp_err why;

	if (remove_files(r->step, r->words, &why) == ACTION_DONE)
		return 0;
	dprintf(STDERR_FILENO, "%s: %s\n", why.text, strerror(why.errnum));
	return TROUBLE;
}

/* Removes large files in a child process, because that may take seconds. */
static enum action_state
remove_begin(
    struct agent *a, struct agent_step *s, char **words, struct hp_err *why)
{
	struct removal r = { s, words };
	struct stat st;
	uint64_t bytes = 0;

	for (char **w = words; *w != NULL; w++)
		if (fstatat(s->dirfd, *w, &st, AT_SYMLINK_NOFOLLOW) == 0)
			bytes += (uint64_t)st.st_size;
	if (bytes <= REMOVE_MOST)
		return remove_files(s, words, why);
	if (child_call(&s->child, s->dir, remove_in_child, &r, why) == -1)
		return ACTION_FAILED;
	return run_watch(a, s, why) == -1 ? ACTION_FAILED : ACTION_WAITS;
}

static enum action_state
make_fifos(struct agent_step *s, char **words, struct hp_err *why)
{
	for (; *words != NULL; words++)
		if ((unlinkat(s->dirfd, *words, 0) == -1 && errno != ENOENT) ||
		    mkfifoat(s->dirfd, *words, 0600) == -1)
			return fail_file(*words, why);
	return ACTION_DONE;
}

static enum action_state
report_size(struct agent_step *s, const char *name, struct hp_err *why)
{
	struct stat st;

	if (fstatat(s->dirfd, name, &st, 0) == -1)
		return fail_file(name, why);
	s->size[s->nsizes++] = (uint64_t)st.st_size;
	return ACTION_DONE;
}

/*
 * Skips the next action if words[0] exists and words[1] does not (step.h,
 * ACT_SKIP_IF). An empty directory words[1] is removed and counts as missing:
 * it is left if a program was killed after it had emptied the directory, and
 * before it could remove the directory.
 */
static enum action_state
skip_if(struct agent_step *s, char **words)
{
	struct stat st;
	bool there = fstatat(s->dirfd, words[0], &st, 0) == 0;
	bool other = words[1][0] != '\0' &&
	    fstatat(s->dirfd, words[1], &st, 0) == 0;

	if (there && other && unlinkat(s->dirfd, words[1], AT_REMOVEDIR) == 0)
		other = false;
	return there && !other ? ACTION_SKIP : ACTION_DONE;
}

/*
 * Renames a file. Steps create files that only their owner may read. If the
 * file is the result of --leave, it gets the mode that the user's umask gives a
 * new file.
 */
static enum action_state
rename_file(const struct agent *a, struct agent_step *s, char **words,
    struct hp_err *why)
{
	const struct agent_node *n = agent_node(a, s->m.rank);
	mode_t mask;

	if (n != NULL && strcmp(words[0], n->beside) == 0) {
		umask(mask = umask(077));
		if (fchmodat(s->dirfd, words[0], 0666 & ~mask, 0) == -1 &&
		    errno != ENOENT)
			return fail_file(words[0], why);
		return naming_do(s->dir, words[0], words[1]) == -1
		    ? fail_file(words[1], why)
		    : ACTION_DONE;
	}
	if (renameat(s->dirfd, words[0], s->dirfd, words[1]) == -1)
		return fail_file(words[1], why);
	return ACTION_DONE;
}

enum action_state
files_begin(struct agent *a, struct agent_step *s, struct hp_err *why)
{
	const struct message_action *x = &s->m.action[s->at];

	if (strcmp(x->kind, "remove") == 0)
		return remove_begin(a, s, x->words, why);
	if (strcmp(x->kind, "fifo") == 0)
		return make_fifos(s, x->words, why);
	if (strcmp(x->kind, "size") == 0)
		return report_size(s, x->node, why);
	if (strcmp(x->kind, "skip") == 0)
		return skip_if(s, x->words);
	return rename_file(a, s, x->words, why);
}
