#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/agent_check.h"
#include "job/agent_copy.h"
#include "job/agent_feed.h"
#include "job/agent_files.h"
#include "job/agent_io.h"
#include "job/agent_open.h"
#include "job/agent_run.h"
#include "job/agent_said.h"
#include "job/agent_spool.h"
#include "job/agent_step.h"

enum {
	/*
	 * exit status that is reported for a failed action that runs no command
	 */
	TROUBLE = 2
};

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
	return files_begin(a, s, why);
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

static int
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
	 * A step that `stop` has killed needs no message of its own. One
	 * message `stopped` covers all such steps.
	 */
	return s->killed && s->signal == SIGKILL ? 0 : agent_send(a, &m, e);
}

/* Ends the step because its current action failed, and reports `why`. */
static int
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

/*
 * Skips the action after the current one. A skipped SIZE action reports a size
 * of 0.
 */
static void
skip_next(struct agent_step *s)
{
	s->at++;
	if (s->at == s->m.nactions)
		return;
	if (strcmp(s->m.action[s->at].kind, "size") == 0)
		s->size[s->nsizes++] = 0;
	s->at++;
}

int
step_go_on(struct agent *a, struct agent_step *s, enum action_state state,
    struct hp_err *why, struct hp_err *e)
{
	for (;; state = action_begin(a, s, why)) {
		switch (state) {
		case ACTION_READY:
			break;
		case ACTION_DONE:
			s->at++;
			break;
		case ACTION_SKIP:
			skip_next(s);
			break;
		case ACTION_WAITS:
			return 0;
		case ACTION_ENDED:
			return step_end(a, s, e);
		case ACTION_FAILED:
			return step_fail(a, s, why, e);
		case ACTION_BROKE:
			*e = *why;
			return -1;
		}
		if (s->at == s->m.nactions)
			return step_end(a, s, e);
		if (s->killed) {
			s->signal = SIGKILL;
			return step_end(a, s, e);
		}
	}
}

int
step_data(struct agent *a, uint32_t stream, const void *bytes, size_t n,
    struct hp_err *e)
{
	struct hp_err why = { 0 };
	struct agent_step *s;

	if (spool_data(a, stream, bytes, n, &s, e) == -1)
		return -1;
	return s == NULL ? 0 : step_go_on(a, s, ACTION_READY, &why, e);
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
		return hp_fail(e, HP_INPUT, "agent: a step appears twice");
	if (m->launcher ? !a->c->local || m->dir[0] != '/' : n == NULL)
		return hp_fail(
		    e, HP_INPUT, "agent: a step of a node that is not open");
	if (agent_check(a, m, e) == -1 || spool_expect(a, m, e) == -1)
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
	if (spool_init(s, &why) == -1)
		return step_fail(a, s, &why, e);
	return step_go_on(a, s, ACTION_READY, &why, e);
}

int
step_cancel(struct agent *a, uint64_t id, struct hp_err *e)
{
	struct agent_step *s = a->step;

	if (id > a->last_id)
		return hp_fail(
		    e, HP_INPUT, "agent: a step is cancelled before its start");
	while (s != NULL && s->m.id != id)
		s = s->next;
	if (s == NULL || s->done)
		return 0;
	child_kill(&s->child);
	/* If a command runs, its exit ends the step. */
	if (s->child.pid != 0)
		return 0;
	s->signal = SIGKILL;
	return step_end(a, s, e);
}

void
step_stop_all(struct agent *a)
{
	for (struct agent_step *s = a->step; s != NULL; s = s->next) {
		if (s->done)
			continue;
		s->killed = true;
		child_kill(&s->child);
		/*
		 * If the step runs no command now, there is no exit to wait
		 * for.
		 */
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
