#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "job/launcher_call.h"
#include "job/launcher_tell.h"

enum {
	STRANGERS = 64, /* connections besides those of agents */
	/*
	 * maximum number of reads per turn of the event loop, so that output of
	 * srun does not delay other events
	 */
	READS_MOST = 16
};

static void
show(void *context, const char *line, size_t len)
{
	static const char no_binding[] =
	    "srun: cluster configuration lacks support for cpu binding";

	if (len != strlen(no_binding) || memcmp(line, no_binding, len) != 0)
		tell_note(context, "%.*s", (int)len, line);
}

/*
 * Returns whether the launcher still waits for a connection from the machine's
 * agent.
 */
static bool
is_uncalled(const struct machine *m)
{
	return m->method->start == NULL && m->state == MACHINE_LOGIN &&
	    !machine_connected(m) && m->closed_s == 0;
}

static bool
needs_srun(const struct machine *m)
{
	return is_uncalled(m) && m->srun == 0;
}

static int
component_of(const struct launcher *l, const struct machine *m)
{
	return l->c.node[m->rank[0]].component;
}

static int
listen_for_calls(struct launcher *l, struct hp_err *e)
{
	if (l->callers.most > 0)
		return 0;
	if (callers_init(&l->callers, l->machines + STRANGERS, e) == -1)
		return -1;
	return loop_watch_other(&l->loop, l->callers.listener, false, e);
}

/*
 * Starts one srun command, which starts the agents of all machines in this
 * component that still need an agent.
 */
static int
start_component(struct launcher *l, int component, struct hp_err *e)
{
	const char **name = calloc(l->uncalled + 1, sizeof *name);
	struct srun_spec spec = { .node = name,
		.component = component,
		.home = l->c.home,
		.to = &l->callers.to,
		.files = l->files };
	int rc = 0;

	if (name == NULL || ARRAY_ROOM(l->srun, l->sruns, l->sruns_cap) == -1)
		rc = hp_fail(e, HP_NOMEM, "out of memory");
	for (size_t i = 0; rc == 0 && i < l->machines; i++) {
		struct machine *m = &l->machine[i];

		if (needs_srun(m) && component_of(l, m) == component) {
			name[spec.nodes++] = m->host;
			m->srun = l->sruns + 1;
		}
	}
	l->uncalled -= spec.nodes;
	if (rc == 0 && (rc = srun_start(&l->srun[l->sruns], &spec, e)) == 0) {
		l->sruns++;
		rc = loop_watch_other(
		    &l->loop, l->srun[l->sruns - 1].said, false, e);
	}
	free(name);
	return rc;
}

void
calls_start(struct launcher *l)
{
	struct hp_err e = { 0 };
	int rc = 0;

	if (l->uncalled == 0)
		return;
	rc = listen_for_calls(l, &e);
	for (size_t i = 0; rc == 0 && i < l->machines && l->uncalled > 0; i++)
		if (needs_srun(&l->machine[i]))
			rc = start_component(
			    l, component_of(l, &l->machine[i]), &e);
	if (rc == -1)
		hear_fatal(l, &e);
}

static void
srun_hear(struct launcher *l, struct srun *s)
{
	char buf[1024];
	ssize_t n;

	for (int k = 0; s->said != -1 && k < READS_MOST; k++) {
		n = read(s->said, buf, sizeof buf);
		if (n > 0) {
			chatter_feed(&l->srun_said, buf, (size_t)n, show, l);
		} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
			chatter_end(&l->srun_said, show, l);
			close(s->said);
			s->said = -1;
		} else {
			break;
		}
	}
}

static int
compare_host(const void *name, const void *machine)
{
	return strcmp(name, ((const struct machine *)machine)->host);
}

/*
 * Handles a new connection that has proven to come from the agent of a node.
 * From now on, the launcher uses the connection like a login to the agent's
 * machine.
 */
static void
attach(struct launcher *l, const struct callers_news *news)
{
	struct hp_err e = { 0 };
	/*
	 * Search only the remote machines: the elements after the first one,
	 * which are ordered by host.
	 */
	struct machine *m = bsearch(news->name, l->machine + 1, l->machines - 1,
	    sizeof *l->machine, compare_host);

	if (m == NULL || !is_uncalled(m)) {
		if (!l->repeated)
			tell_note(l,
			    "ignored a second connection of %s, from %s",
			    news->name, news->address);
		l->repeated = true;
		close(news->fd);
		return;
	}
	m->login.wire = news->fd;
	if (wire_init(&m->wire, WIRE_LAUNCHER, news->fd, news->fd, m->name,
		&e) == -1 ||
	    loop_watch(&l->loop, m, &e) == -1)
		hear_fatal(l, &e);
}

static void
hear_caller(struct launcher *l, int fd)
{
	struct callers_news news = callers_read(&l->callers, fd, l->loop.now_s);
	struct hp_err e = { 0 };

	switch (news.event) {
	case CALLERS_NONE:
		break;
	case CALLERS_NEW:
		if (loop_watch_other(&l->loop, news.fd, false, &e) == -1)
			hear_fatal(l, &e);
		break;
	case CALLERS_PROVEN:
		loop_forget_other(&l->loop, news.fd);
		attach(l, &news);
		break;
	case CALLERS_FALSE:
		if (!l->strangers)
			tell_note(l,
			    "refused a connection from %s without the key of "
			    "this run",
			    news.address);
		l->strangers = true;
		break;
	}
}

bool
calls_hear(struct launcher *l, int fd)
{
	if (l->callers.most > 0 && callers_has(&l->callers, fd)) {
		hear_caller(l, fd);
		return true;
	}
	for (size_t i = 0; i < l->sruns; i++)
		if (l->srun[i].said == fd) {
			srun_hear(l, &l->srun[i]);
			return true;
		}
	return false;
}

void
calls_tick(struct launcher *l,
    void (*refused)(struct launcher *, struct machine *, int code))
{
	int code;

	if (l->callers.most == 0)
		return;
	callers_expire(&l->callers, l->loop.now_s);
	for (size_t k = 0; k < l->sruns; k++) {
		if (!srun_ended(&l->srun[k], &code))
			continue;
		srun_hear(l, &l->srun[k]);
		for (size_t i = 0; i < l->machines; i++)
			if (l->machine[i].srun == k + 1 &&
			    is_uncalled(&l->machine[i]))
				refused(l, &l->machine[i], code);
	}
}

size_t
calls_left(struct launcher *l)
{
	size_t left = 0;
	int code;

	for (size_t i = 0; i < l->sruns; i++)
		left += l->srun[i].pid != -1 && !srun_ended(&l->srun[i], &code);
	return left;
}

bool
calls_is_srun(const struct launcher *l, pid_t pid)
{
	for (size_t i = 0; i < l->sruns; i++)
		if (l->srun[i].pid == pid)
			return true;
	return false;
}

void
calls_fini(struct launcher *l)
{
	for (size_t i = 0; i < l->sruns; i++) {
		srun_hear(l, &l->srun[i]);
		srun_kill(&l->srun[i]);
	}
	free(l->srun);
	if (l->callers.most > 0)
		callers_fini(&l->callers);
	chatter_fini(&l->srun_said);
}
