#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "job/launcher_open.h"
#include "job/launcher_tell.h"

enum {
	/* maximum messages about one node that cannot be used */
	FAULTS_MOST = 100
};

void
login_settle(struct launcher *l, struct machine *m, enum machine_state state)
{
	m->state = state;
	if (m->lost)
		l->returning--;
	else
		l->waiting--;
}

static int
send_open(struct launcher *l, struct machine *m, struct hp_err *why)
{
	struct message open = { .type = MESSAGE_OPEN,
		.nnodes = m->nodes,
		.keep = l->c.keep,
		/*
		 * If `again` is set, the agent may use directories that already
		 * exist. They belong to this run if an earlier login has made
		 * them. But if that login failed to open a directory, the
		 * directory may belong to another run. Then leave `again`
		 * unset.
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
	login_settle(l, m, MACHINE_READY);
}

int
open_begin(struct launcher *l, struct machine *m, struct hp_err *why)
{
	m->state = MACHINE_OPENING;
	m->opening_s = l->loop.now_s;
	if (send_open(l, m, why) == -1)
		return -1;
	if (m->nodes == 0)
		all_opened(l, m);
	return 0;
}

/*
 * Returns whether to make a direct connection to the agent. It saves processor
 * time only if the login is ssh(1), which encrypts all data in processes of its
 * own. An agent that a login has started sends an address only in this case.
 */
static bool
is_dialed(const struct launcher *l, const struct machine *m,
    const struct message *hello)
{
	return l->c.direct && m->host != NULL && m->method->start != NULL &&
	    hello->address[0] != '\0';
}

static int
hear_hello(struct launcher *l, struct machine *m, const struct message *hello,
    struct hp_err *why)
{
	struct message end = { .type = MESSAGE_END };
	bool same = strcmp(hello->version, HP_VERSION) == 0;
	struct node_facts *f;

	for (size_t i = 0; l->facts != NULL && i < m->nodes; i++) {
		f = &l->facts[m->rank[i]];
		f->reached = true;
		if (!same) /* its other members may be missing */
			continue;
		f->processors = hello->processors;
		f->memory = hello->memory;
		snprintf(f->address, sizeof f->address, "%s", hello->address);
	}
	if (same) {
		m->state = MACHINE_DIALING;
		return is_dialed(l, m, hello) ? 0 : open_begin(l, m, why);
	}
	for (size_t i = 0; i < m->nodes && !m->lost; i++)
		tell_note(l, "%s: hptools: hprun (hptools) %s, not %s",
		    node_name(l, m->rank[i]), hello->version, HP_VERSION);
	l->faults = true;
	l->leaving++;
	login_settle(l, m, MACHINE_ENDING);
	return wire_send(&m->wire, &end, why);
}

/*
 * Returns whether the launcher waits for this machine's answer on whether it
 * can use the node's directory and files.
 */
static bool
is_asked(const struct launcher *l, const struct machine *m, uint64_t rank)
{
	return rank < l->c.nodes && &l->machine[l->of_rank[rank]] == m &&
	    l->asked[rank];
}

/*
 * Notes that the machine's agent has sent its last answer on the node's
 * directory and files.
 */
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
		m->faults = msg->last ? 0 : m->faults + 1;
		if (m->faults > FAULTS_MOST)
			return not_asked(m, why);
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
		f->input_changed_us = msg->input_changed_us;
		f->input_inode = msg->input_inode;
		f->named = msg->named != 0;
		f->login_s = clock_now_s() - l->began_s;
	}
	answered(l, m, msg->rank);
	return 0;
}

int
open_hear(struct launcher *l, struct machine *m, struct wire_event *event,
    bool *hello, struct hp_err *why)
{
	switch (event->message.type) {
	case MESSAGE_HELLO:
		if (m->state != MACHINE_LOGIN)
			return not_asked(m, why);
		*hello = true;
		return hear_hello(l, m, &event->message, why);
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
