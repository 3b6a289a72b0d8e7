/*
 * Handles streams from the launcher. The stream of a PUT action goes to a
 * spool, a file of the node. The stream for the input of a command goes through
 * a feed (agent_feed.c).
 */

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "job/agent_feed.h"
#include "job/agent_spool.h"

static int
open_spool(struct agent_step *s, size_t action, struct hp_err *why)
{
	const struct message_action *x = &s->m.action[action];
	struct agent_spool *p = &s->spool[s->nspools];
	char *name;

	if (asprintf(&name, ".stream.%" PRIu64, x->in_stream) == -1)
		return hp_fail(why, HP_NOMEM, "agent");
	*p = (struct agent_spool){ .stream = (uint32_t)x->in_stream,
		.action = action,
		.fd = openat(s->dirfd, name,
		    O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600),
		.name = name };
	if (p->fd == -1)
		hp_fail_errno(why, HP_IO, "%.900s/%s", s->dir, name);
	s->nspools++;
	return p->fd == -1 ? -1 : 0;
}

int
spool_expect(struct agent *a, const struct message *m, struct hp_err *e)
{
	for (size_t i = 0; i < m->nactions; i++) {
		uint64_t stream = m->action[i].in_stream;

		if (stream == 0)
			continue;
		if (stream <= a->last_stream)
			return hp_fail(
			    e, HP_INPUT, "agent: a stream appears twice");
		a->last_stream = (uint32_t)stream;
	}
	return 0;
}

int
spool_init(struct agent_step *s, struct hp_err *why)
{
	size_t n = 0;

	for (size_t i = 0; i < s->m.nactions; i++)
		n += s->m.action[i].in_stream > 0;
	if (n > 0 && (s->spool = calloc(n, sizeof *s->spool)) == NULL)
		return hp_fail(why, HP_NOMEM, "agent");
	for (size_t i = 0; i < s->m.nactions; i++) {
		const struct message_action *x = &s->m.action[i];
		int rc = 0;

		if (x->in_stream > 0)
			rc = strcmp(x->kind, "put") == 0
			    ? open_spool(s, i, why)
			    : feed_add(s, (uint32_t)x->in_stream, i, why);
		if (rc == -1)
			return -1;
	}
	return 0;
}

void
spool_fini(struct agent_step *s)
{
	for (size_t i = 0; i < s->nspools; i++) {
		struct agent_spool *p = &s->spool[i];

		if (p->name != NULL)
			unlinkat(s->dirfd, p->name, 0);
		free(p->name);
		if (p->fd != -1)
			close(p->fd);
	}
	free(s->spool);
	s->spool = NULL;
	s->nspools = 0;
}

struct agent_spool *
spool_of(struct agent_step *s, size_t action)
{
	for (size_t i = 0; i < s->nspools; i++)
		if (s->spool[i].action == action)
			return &s->spool[i];
	return NULL;
}

enum action_state
spool_state(const struct agent_spool *p, const char *name, struct hp_err *why)
{
	if (p->error != 0) {
		errno = p->error;
		hp_fail_errno(why, HP_IO, "%.900s", name);
		return ACTION_FAILED;
	}
	return p->ended ? ACTION_DONE : ACTION_WAITS;
}

static int
store(struct agent_step *s, struct agent_spool *p, const void *bytes, size_t n,
    struct agent_step **ready, struct hp_err *e)
{
	if (p->ended)
		return hp_fail(
		    e, HP_INPUT, "agent: data behind the end of a stream");
	if (n == 0)
		p->ended = true;
	else if (p->error == 0 && io_write(p->fd, bytes, n) == -1)
		p->error = errno;
	s->wrote += n;
	/*
	 * If the step's current action waits for this spool, the action may be
	 * able to continue now. No other action can wait for the spool.
	 */
	if (p->action == s->at && s->child.pid == 0 &&
	    (p->ended || p->error != 0))
		*ready = s;
	return 0;
}

int
spool_data(struct agent *a, uint32_t stream, const void *bytes, size_t n,
    struct agent_step **ready, struct hp_err *e)
{
	*ready = NULL;
	for (struct agent_step *s = a->step; s != NULL; s = s->next) {
		if (s->done)
			continue;
		for (size_t i = 0; i < s->nspools; i++)
			if (s->spool[i].stream == stream)
				return store(
				    s, &s->spool[i], bytes, n, ready, e);
		for (size_t i = 0; i < s->nfeeds; i++)
			if (s->feed[i].stream == stream)
				return feed_data(
				    a, s, &s->feed[i], bytes, n, e);
	}
	/*
	 * A number up to last_stream belongs to a stream whose step has ended
	 * or could not begin. Ignore data of such a stream, which were still on
	 * the way.
	 */
	if (stream <= a->last_stream)
		return 0;
	return hp_fail(e, HP_INPUT, "agent: data of an unknown stream");
}
