#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/launcher_own.h"

#define LOGINS_MOST 128 /* concurrent logins; more slow each other */
#define TRY_S 1.0	/* seconds between two tries */
#define AT_ONCE_S 2.0	/* seconds; an earlier end is a refusal */
/* seconds for a login to exit after its connection was closed */
#define REAP_S 1.0
#define PATIENCE_S 2.0 /* seconds beyond the timeout */

enum {
	NOT_TO_BE_RUN = 126, /* exit statuses of a shell */
	NOT_FOUND = 127,
	BROKE = 255 /* of ssh */
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
 * Shows a line that the login printed on standard output, which belongs to the
 * agent.
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
	while (l->logins < LOGINS_MOST && l->next < l->machines)
		login_begin(l, &l->machine[l->next++]);
}

/*
 * Ends the login of a machine and sets the machine's final state. The launcher
 * no longer waits for it.
 */
static void
settle(struct launcher *l, struct machine *m, enum machine_state state)
{
	m->state = state;
	if (m->lost)
		l->returning--;
	else
		l->waiting--;
}

/* Counts a login as ended, and starts the next login that waits. */
static void
login_over(struct launcher *l)
{
	l->logins--;
	login_all(l);
}

/* Gives up a machine on which no agent can be started. */
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
	settle(l, m, MACHINE_GONE);
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
	if (machine_login(m, &spec, &e) == 0 &&
	    loop_watch(&l->loop, m, &e) == 0)
		return;
	tell_note(l, "%s: %s%s%s", m->name, e.text, e.errnum != 0 ? ": " : "",
	    e.errnum != 0 ? strerror(e.errnum) : "");
	unreached(l, m);
	l->logins--;
}

static int
send_open(struct launcher *l, struct machine *m, struct hp_err *why)
{
	struct message open = { .type = MESSAGE_OPEN,
		.nnodes = m->nodes,
		.keep = l->c.keep,
		/*
		 * A directory that could not be opened may belong to another
		 * run.
		 */
		.again = l->c.again || (m->told && !m->at_fault),
		.progress = l->c.tick != NULL,
		.timeout_s = l->c.timeout_s };
	int rc;

	open.node = calloc(m->nodes + 1, sizeof *open.node);
	if (open.node == NULL)
		return hp_fail(why, HP_NOMEM, "out of memory");
	for (size_t i = 0; i < m->nodes; i++) {
		const struct job_node *n = &l->c.node[m->rank[i]];

		open.node[i] = (struct message_node){
			.rank = (uint64_t)m->rank[i],
			.dir = borrow(n->dir),
			.input = borrow(n->input),
			.leave = borrow(n->leave),
			.beside = borrow(n->beside),
		};
		l->asked[m->rank[i]] = true;
	}
	m->unopened = m->nodes;
	m->told = true;
	m->at_fault = false;
	rc = wire_send(&m->wire, &open, why);
	free(open.node);
	return rc;
}

static void
all_opened(struct launcher *l, struct machine *m)
{
	if (m->at_fault)
		l->faults = true;
	settle(l, m, MACHINE_READY);
}

static int
hear_hello(struct launcher *l, struct machine *m, const struct message *hello,
    struct hp_err *why)
{
	struct message end = { .type = MESSAGE_END };
	struct node_facts *f;

	m->state = MACHINE_OPENING;
	login_over(l);
	for (size_t i = 0; l->facts != NULL && i < m->nodes; i++) {
		f = &l->facts[m->rank[i]];
		f->reached = true;
		f->processors = hello->processors;
		f->memory = hello->memory;
		snprintf(f->address, sizeof f->address, "%s", hello->address);
	}
	if (strcmp(hello->version, HP_VERSION) == 0) {
		if (send_open(l, m, why) == -1)
			return -1;
		if (m->nodes == 0)
			all_opened(l, m);
		return 0;
	}
	for (size_t i = 0; i < m->nodes && !m->lost; i++)
		tell_note(l, "%s: hptools: hprun (hptools) %s, not %s",
		    node_name(l, m->rank[i]), hello->version, HP_VERSION);
	l->faults = true;
	l->leaving++;
	settle(l, m, MACHINE_ENDING);
	return wire_send(&m->wire, &end, why);
}

/*
 * Tells whether the message is about a node that this machine was asked to
 * open.
 */
static bool
is_asked(const struct launcher *l, const struct machine *m, uint64_t rank)
{
	return rank < l->c.nodes && &l->machine[l->of_rank[rank]] == m &&
	    l->asked[rank];
}

/* Handles the last message about a node that answers `open`. */
static void
answered(struct launcher *l, struct machine *m, uint64_t rank)
{
	l->asked[rank] = false;
	if (--m->unopened == 0)
		all_opened(l, m);
}

static int
hear_node(struct launcher *l, struct machine *m, const struct message *msg,
    struct hp_err *why)
{
	struct node_facts *f;

	if (!is_asked(l, m, msg->rank))
		return not_asked(m, why);
	if (msg->type == MESSAGE_FAULT) {
		m->at_fault = true;
		if (!m->lost)
			tell_note(l, "%s: %s", node_name(l, (int)msg->rank),
			    msg->text);
		if (msg->last)
			answered(l, m, msg->rank);
		return 0;
	}
	if (l->facts != NULL) {
		f = &l->facts[msg->rank];
		f->ready = true;
		f->device = msg->device;
		f->room = msg->room;
		f->input_bytes = msg->input_bytes;
	}
	answered(l, m, msg->rank);
	return 0;
}

int
login_hear(struct launcher *l, struct machine *m, struct wire_event *event,
    struct hp_err *why)
{
	/* Show earlier lines of the login first. */
	login_said(l, m);
	if (event->kind == WIRE_PRINTED) {
		hear_printed(l, m, event->bytes, event->len);
		return 0;
	}
	if (event->kind == WIRE_BYTES)
		return not_asked(m, why);
	switch (event->message.type) {
	case MESSAGE_HELLO:
		if (m->state == MACHINE_LOGIN)
			return hear_hello(l, m, &event->message, why);
		return not_asked(m, why);
	case MESSAGE_OPENED:
	case MESSAGE_FAULT:
		if (m->state == MACHINE_OPENING)
			return hear_node(l, m, &event->message, why);
		return not_asked(m, why);
	case MESSAGE_BEAT:
		return 0;
	default:
		return not_asked(m, why);
	}
}

/* Tells whether another login to the machine would fail in the same way. */
static bool
is_final(const struct machine *m, int code)
{
	return code == NOT_TO_BE_RUN || code == NOT_FOUND ||
	    m->chatter.hopeless;
}

/*
 * Handles a login that ended without an agent. It is retried once in any case,
 * because hosts refuse some logins when many come at once. Later retries, until
 * the timeout, follow only if the login did not fail at once.
 */
static void
refused(struct launcher *l, struct machine *m, int code)
{
	double took_s = l->loop.now_s - m->first_s;

	login_said(l, m);
	machine_kill(m);
	if (m->state == MACHINE_LOGIN)
		login_over(l);
	if (took_s < l->c.timeout_s &&
	    (m->tries == 1 || (took_s >= AT_ONCE_S && !is_final(m, code)))) {
		m->state = MACHINE_AWAY;
		m->again_s = l->loop.now_s + TRY_S;
		return;
	}
	unreached(l, m);
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
	} else if (m->state == MACHINE_OPENING) {
		refused(l, m, BROKE);
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
	} else if (m->state != MACHINE_LOGIN) {
		return;
	} else if (m->closed_s != 0 && machine_ended(m, &code)) {
		refused(l, m, code);
	} else if (m->closed_s != 0 && now_s - m->closed_s > REAP_S) {
		refused(l, m, BROKE);
	} else if (now_s - m->first_s > l->c.timeout_s + PATIENCE_S) {
		login_over(l);
		unreached(l, m);
	}
}

void
login_tick(struct launcher *l)
{
	if (l->waiting == 0 && l->returning == 0)
		return;
	for (size_t i = 0; i < l->machines; i++)
		look_at(l, &l->machine[i]);
}
