#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/launcher_call.h"
#include "job/launcher_dial.h"
#include "job/launcher_login.h"
#include "job/launcher_open.h"
#include "job/launcher_tell.h"

/* maximum number of concurrent logins; more would slow each other down */
#define LOGINS_MOST 128
#define TRY_S 1.0     /* seconds between two tries */
#define AT_ONCE_S 2.0 /* seconds; an earlier end is a refusal */
/*
 * maximum seconds for a login process, such as ssh, to end by itself after its
 * connection was closed
 */
#define REAP_S 1.0
#define PATIENCE_S 2.0 /* seconds beyond the timeout */
/*
 * An agent that opens its nodes' directories may have to remove many files of
 * an earlier run there. Its beats show that it is alive, but not that it will
 * ever end.
 */
#define OPENING_OF_TIMEOUT 10.0

enum {
	NOT_TO_BE_RUN = 126, /* exit statuses of a shell */
	NOT_FOUND = 127,
	BROKE = 255 /* exit status of ssh if it has no connection */
};

struct listener {
	struct launcher *l;
	struct machine *m;
};

static void
show(void *context, const char *line, size_t len)
{
	struct listener *to = context;

	tell_line(to->l, to->m->nodes > 0 ? to->m->rank[0] : STEP_LAUNCHER,
	    line, len);
}

void
login_said(struct launcher *l, struct machine *m)
{
	struct listener to = { l, m };

	machine_hear(m, show, &to);
}

/*
 * The launcher reads messages of an agent from the standard output of its login
 * (ssh). A line of plain text there does not come from the agent. Shows the
 * line to the user.
 */
static void
hear_printed(struct launcher *l, struct machine *m, const unsigned char *line,
    size_t len)
{
	struct listener to = { l, m };
	char text[MESSAGE_LINE + 64];

	snprintf(text, sizeof text,
	    "the login prints '%.*s' on its standard output", (int)len,
	    (const char *)line);
	chatter_line(&m->chatter, text, show, &to);
}

void
login_all(struct launcher *l)
{
	while (l->next < l->machines &&
	    (l->logins < LOGINS_MOST ||
		l->machine[l->next].method->start == NULL))
		login_begin(l, &l->machine[l->next++]);
	calls_start(l);
}

/* Counts a login as ended, and starts the next login that waits. */
static void
login_over(struct launcher *l)
{
	l->logins--;
	login_all(l);
}

/* Gives up a machine on which no agent could be started. */
static void
unreached(struct launcher *l, struct machine *m)
{
	if (!m->lost) {
		l->unreached = true;
		for (size_t i = 0; i < m->nodes; i++)
			tell_note(l, "%s: cannot be reached",
			    node_name(l, m->rank[i]));
		if (m->nodes == 0)
			tell_note(l, "%s: cannot be reached", m->name);
	}
	machine_kill(m);
	login_settle(l, m, MACHINE_GONE);
}

void
login_begin(struct launcher *l, struct machine *m)
{
	struct launch_spec spec = { .host = m->host,
		.home = l->c.home,
		.rsh = l->c.rsh,
		.files = l->files };
	struct hp_err e = { 0 };

	m->state = MACHINE_LOGIN;
	m->login_s = l->loop.now_s;
	m->closed_s = m->again_s = 0;
	if (m->tries++ == 0)
		m->first_s = m->login_s;
	l->logins++;
	if (m->method->start == NULL) {
		m->srun = 0;
		l->uncalled++;
		return;
	}
	if (machine_login(m, &spec, &e) == 0 &&
	    loop_watch(&l->loop, m, &e) == 0)
		return;
	tell_note(l, "%s: %s%s%s", m->name, e.text, e.errnum != 0 ? ": " : "",
	    e.errnum != 0 ? strerror(e.errnum) : "");
	unreached(l, m);
	l->logins--;
}

int
login_hear(struct launcher *l, struct machine *m, struct wire_event *event,
    struct hp_err *why)
{
	bool hello = false;
	int rc;

	/* Show earlier lines of the login first. */
	login_said(l, m);
	if (event->kind == WIRE_PRINTED) {
		hear_printed(l, m, event->bytes, event->len);
		return 0;
	}
	if (event->kind == WIRE_BYTES)
		return not_asked(m, why);
	if (m->state == MACHINE_DIALING &&
	    event->message.type == MESSAGE_LISTENING)
		return dial_answer(l, m, &event->message, why);
	rc = open_hear(l, m, event, &hello, why);
	if (hello)
		login_over(l);
	if (rc == 0 && hello && m->state == MACHINE_DIALING)
		rc = dial_ask(l, m, why);
	return rc;
}

/* Returns whether another login to the machine would fail in the same way. */
static bool
is_final(const struct machine *m, int code)
{
	return code == NOT_TO_BE_RUN || code == NOT_FOUND ||
	    m->chatter.hopeless;
}

/*
 * Handles a login that ended without starting an agent. The first login is
 * always retried, because a host may refuse some of many logins at the same
 * time. If the connection fails, later logins are retried until the timeout,
 * unless all logins failed at once or a retry would fail again. If the command
 * on the host fails, there is only one retry.
 */
static void
refused(struct launcher *l, struct machine *m, int code)
{
	double took_s = l->loop.now_s - m->first_s;
	bool again = m->tries == 1 ||
	    (code == BROKE && took_s >= AT_ONCE_S && !is_final(m, code));

	login_said(l, m);
	machine_kill(m);
	if (m->state == MACHINE_LOGIN)
		login_over(l);
	if (again && took_s < l->c.timeout_s) {
		m->state = MACHINE_AWAY;
		m->again_s = l->loop.now_s + TRY_S;
		return;
	}
	/* The messages of ssh, of srun and of the shell tell the reason. */
	if (!m->lost && m->method->start != NULL && code != BROKE &&
	    !is_final(m, code))
		tell_note(l,
		    "%s: the login ends with status %d and starts no agent",
		    m->nodes > 0 ? node_name(l, m->rank[0]) : m->name, code);
	unreached(l, m);
}

/*
 * Handles an agent that has answered and then lost its connection before all
 * machines were ready. The next login to its machine gets the full time limit
 * again, but only once, so that the launcher does not wait forever.
 */
static void
agent_broke(struct launcher *l, struct machine *m)
{
	if (!m->rebegun) {
		m->rebegun = true;
		m->tries = 1;
		m->first_s = l->loop.now_s;
	}
	refused(l, m, BROKE);
}

void
login_broke(struct launcher *l, struct machine *m, const struct hp_err *why)
{
	int code;

	login_said(l, m);
	if (why->kind == HP_INPUT && !m->lost)
		tell_note(l, "%s", why->text);
	machine_close(m);
	m->closed_s = l->loop.now_s;
	if (why->kind == HP_INPUT) {
		if (m->state == MACHINE_LOGIN)
			login_over(l);
		unreached(l, m);
	} else if (m->state == MACHINE_DIALING || m->state == MACHINE_OPENING) {
		agent_broke(l, m);
	} else if (machine_ended(m, &code)) {
		refused(l, m, code);
	}
}

void
login_undone(struct launcher *l, struct machine *m, const struct hp_err *why)
{
	for (size_t i = 0; i < m->nodes; i++)
		l->facts[m->rank[i]].ready = false;
	if (m->at_fault) { /* the run fails in any case */
		machine_kill(m);
		m->state = MACHINE_GONE;
		return;
	}
	m->state = MACHINE_OPENING;
	l->waiting++;
	login_broke(l, m, why);
}

static void
look_at(struct launcher *l, struct machine *m)
{
	double now_s = l->loop.now_s;
	int code;

	if (m->state == MACHINE_AWAY && m->again_s != 0 &&
	    now_s >= m->again_s) {
		login_begin(l, m);
	} else if (m->state == MACHINE_DIALING) {
		dial_tick(l, m);
	} else if (m->state == MACHINE_OPENING) {
		if (now_s - m->opening_s < OPENING_OF_TIMEOUT * l->c.timeout_s)
			return;
		if (!m->lost)
			tell_note(
			    l, "%s: does not open its directories", m->name);
		unreached(l, m);
	} else if (m->state != MACHINE_LOGIN) {
		return;
	} else if (m->closed_s != 0 && machine_ended(m, &code)) {
		refused(l, m, code);
	} else if (m->closed_s != 0 && now_s - m->closed_s > REAP_S) {
		refused(l, m, BROKE);
	} else if (now_s - m->first_s > l->c.timeout_s + PATIENCE_S) {
		login_over(l);
		if (!m->lost)
			tell_note(l, "%s: the login starts no agent in %g s",
			    m->nodes > 0 ? node_name(l, m->rank[0]) : m->name,
			    l->c.timeout_s + PATIENCE_S);
		unreached(l, m);
	}
}

void
login_tick(struct launcher *l)
{
	calls_tick(l, refused);
	if (l->waiting == 0 && l->returning == 0)
		return;
	for (size_t i = 0; i < l->machines; i++)
		look_at(l, &l->machine[i]);
	calls_start(l);
}
