#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/agent_own.h"

enum {
	/*
	 * exit status that is reported for a failed action that is no command
	 */
	TROUBLE = 2,
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

static enum action_state
skip_if(struct agent_step *s, char **words)
{
	struct stat st;
	bool there = fstatat(s->dirfd, words[0], &st, 0) == 0;
	bool other = words[1][0] != '\0' &&
	    fstatat(s->dirfd, words[1], &st, 0) == 0;

	return there && !other ? ACTION_SKIP : ACTION_DONE;
}

/*
 * Renames a file. Files of a step are accessible only to their owner. The
 * result of --leave gets the mode that the user's umask gives a new file.
 */
static enum action_state
rename_file(const struct agent *a, struct agent_step *s, char **words,
    struct hp_err *why)
{
	const struct agent_node *n = agent_node(a, s->m.rank);
	mode_t mask;

	if (n != NULL && strcmp(words[0], n->beside) == 0) {
		umask(mask = umask(077));
		if (fchmodat(s->dirfd, words[0], 0666 & ~mask, 0) == -1)
			return fail_file(words[0], why);
	}
	if (renameat(s->dirfd, words[0], s->dirfd, words[1]) == -1)
		return fail_file(words[1], why);
	return ACTION_DONE;
}

static enum action_state
action_begin(struct agent *a, struct agent_step *s, struct hp_err *why)
{
	const struct message_action *x = &s->m.action[s->at];

	if (strcmp(x->kind, "run") == 0)
		return run_begin(a, s, why);
	if (strcmp(x->kind, "put") == 0)
		return copy_put(a, s, why);
	if (strcmp(x->kind, "get") == 0)
		return copy_get(a, s, why);
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

static void
release_step(struct agent *a, struct agent_step *s)
{
	struct agent_source *source[] = { &s->ended, &s->said, &s->put,
		&s->into };

	for (size_t i = 0; i < sizeof source / sizeof *source; i++)
		agent_unwatch(a, source[i]);
	if (s->child.in != -1)
		close(s->child.in);
	if (s->child.err != -1)
		close(s->child.err);
	if (s->child.out != -1)
		close(s->child.out);
	if (s->child.pidfd != -1)
		close(s->child.pidfd);
	if (s->source != -1)
		close(s->source);
	s->child.in = s->child.err = s->child.out = s->child.pidfd = -1;
	s->into.fd = s->source = -1;
	spool_fini(s);
	feed_fini(s);
	if (s->dirfd != -1)
		close(s->dirfd);
	s->dirfd = -1;
	s->done = true;
}

int
step_end(struct agent *a, struct agent_step *s, struct hp_err *e)
{
	struct message m = { .type = MESSAGE_ENDED,
		.id = s->m.id,
		.failed = s->at,
		.code = s->code,
		.signal = s->signal,
		.user_s = s->user_s,
		.system_s = s->system_s,
		.size = s->size,
		.nsizes = s->nsizes };

	if (said_dropped(a, s, e) == -1)
		return -1;
	release_step(a, s);
	/*
	 * The message `stopped` covers all steps that `stop` killed, so send
	 * none for each.
	 */
	return s->killed && s->signal == SIGKILL ? 0 : agent_send(a, &m, e);
}

int
step_fail(
    struct agent *a, struct agent_step *s, struct hp_err *why, struct hp_err *e)
{
	char text[HP_ERR_TEXT + 100];

	snprintf(text, sizeof text, "%s%s%s", why->text,
	    why->errnum != 0 ? ": " : "",
	    why->errnum != 0 ? strerror(why->errnum) : "");
	s->code = TROUBLE;
	return said_line(a, s, text, e) == -1 ? -1 : step_end(a, s, e);
}

int
step_advance(struct agent *a, struct agent_step *s, struct hp_err *e)
{
	struct hp_err why = { 0 };

	while (s->at < s->m.nactions && !s->killed) {
		switch (action_begin(a, s, &why)) {
		case ACTION_SKIP:
			/* A skipped SIZE reports 0. */
			if (s->at + 1 < s->m.nactions &&
			    strcmp(s->m.action[s->at + 1].kind, "size") == 0)
				s->size[s->nsizes++] = 0;
			s->at += s->at + 1 < s->m.nactions ? 2 : 1;
			break;
		case ACTION_DONE:
			s->at++;
			break;
		case ACTION_WAITS:
			return 0;
		default:
			return step_fail(a, s, &why, e);
		}
	}
	if (s->at < s->m.nactions)
		s->signal = SIGKILL;
	return step_end(a, s, e);
}

static struct agent_step *
new_step(struct agent *a, struct message *m)
{
	struct agent_step *s = calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->size = calloc(m->nactions, sizeof *s->size);
	s->m = *m;
	*m = (struct message){ .type = MESSAGE_BEAT };
	s->child.in = s->child.err = s->child.out = s->child.pidfd = -1;
	s->source = -1;
	s->dirfd = -1;
	s->ended = (struct agent_source){ SOURCE_ENDED, s, -1, false };
	s->said = (struct agent_source){ SOURCE_SAID, s, -1, false };
	s->put = (struct agent_source){ SOURCE_PUT, s, -1, false };
	s->into = (struct agent_source){ SOURCE_FEED, s, -1, false };
	s->next = a->step;
	a->step = s;
	return s->size == NULL ? NULL : s;
}

int
step_start(struct agent *a, struct message *m, struct hp_err *e)
{
	const struct agent_node *n = agent_node(a, m->rank);
	struct hp_err why = { 0 };
	struct agent_step *s;

	if (m->id <= a->last_id)
		return hp_fail(e, HP_INPUT, "agent: a step is there twice");
	if (m->launcher ? !a->c->local || m->dir[0] != '/' : n == NULL)
		return hp_fail(
		    e, HP_INPUT, "agent: a step of a node that is not open");
	if (agent_check(a, m, e) == -1)
		return -1;
	a->last_id = m->id;
	if ((s = new_step(a, m)) == NULL)
		return hp_fail(e, HP_NOMEM, "agent");
	s->dir = s->m.launcher ? s->m.dir : n->dir;
	s->dirfd = open(s->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (s->dirfd == -1) {
		hp_fail_errno(&why, HP_IO, "%.900s", s->dir);
		return step_fail(a, s, &why, e);
	}
	if (spool_init(a, s, &why) == -1)
		return why.kind == HP_INPUT ? (*e = why, -1)
					    : step_fail(a, s, &why, e);
	return step_advance(a, s, e);
}

void
step_stop_all(struct agent *a)
{
	for (struct agent_step *s = a->step; s != NULL; s = s->next) {
		if (s->done)
			continue;
		s->killed = true;
		child_kill(&s->child);
		/* A step without a command has no exit to wait for. */
		if (s->child.pid == 0) {
			s->signal = SIGKILL;
			release_step(a, s);
		}
	}
}

void
step_sweep(struct agent *a)
{
	struct agent_step **at = &a->step, *s;

	while ((s = *at) != NULL) {
		if (!s->done) {
			at = &s->next;
			continue;
		}
		*at = s->next;
		release_step(a, s);
		message_fini(&s->m);
		free(s->size);
		free(s);
	}
}
