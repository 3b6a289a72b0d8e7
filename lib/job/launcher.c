#include <sys/stat.h>

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "job/guard.h"
#include "job/launcher_call.h"
#include "job/launcher_hear.h"
#include "job/launcher_login.h"
#include "job/launcher_new.h"
#include "job/launcher_own.h"
#include "job/launcher_tell.h"

/*
 * At the end of a run, agents clean up. The launcher gives up an agent that
 * sends nothing for PATIENCE_S seconds plus PATIENCE_OF_TIMEOUT times the
 * timeout. When this time plus CLEANUP_TIMEOUTS times the timeout has passed
 * since the start of the cleanup, the launcher gives up all agents that are
 * left. Then logins have REAP_S seconds to exit.
 */
#define PATIENCE_S 3.0
#define PATIENCE_OF_TIMEOUT 0.25
#define CLEANUP_TIMEOUTS 2.0
#define REAP_S 1.0

/*
 * Registers the directories of this machine's nodes with the guard, which
 * removes them if this process is killed. Unless `again` is set, an existing
 * directory belongs to somebody else. It is not registered, and the agent will
 * fail to open it.
 */
static int
register_nodes(struct launcher *l, struct hp_err *e)
{
	const struct machine *m = &l->machine[0];
	const struct job_node *n;
	struct stat st;

	for (size_t i = 0; l->c.guard != NULL && i < m->nodes; i++) {
		n = &l->c.node[m->rank[i]];
		if ((l->c.again ||
			(lstat(n->dir, &st) == -1 && errno == ENOENT)) &&
		    guard_register(l->c.guard, n->dir, l->c.keep, e) == -1)
			return -1;
		if (n->beside != NULL && !l->c.keep &&
		    guard_register(l->c.guard, n->beside, false, e) == -1)
			return -1;
	}
	return 0;
}

/* Returns the result of all logins. */
static int
judge_logins(struct launcher *l, struct hp_err *e)
{
	if (l->fatal.kind != HP_NONE) {
		*e = l->fatal;
		return -1;
	}
	if (work_is_gone(l))
		return hp_fail(e, HP_IO, "%s: has been removed", l->c.work);
	if (l->signal != 0)
		return hp_fail(e, HP_IO, "interrupted");
	if (l->unreached)
		return hp_fail(e, HP_LOST, "%s", "");
	if (l->faults)
		return hp_fail(e, HP_IO, "%s", "");
	return 0;
}

/*
 * Waits until all machines are ready or unreached. Meanwhile lets the caller
 * run stages on this machine.
 */
static int
wait_for_machines(struct launcher *l, struct hp_err *e)
{
	bool called = l->c.meanwhile == NULL;
	int rc = 0;

	while (rc == 0 && l->waiting > 0 && l->signal == 0 && !l->gone &&
	    l->fatal.kind == HP_NONE) {
		if ((rc = loop_turn(&l->loop, e)) == -1 || called ||
		    l->waiting == 0 || l->machine[0].state != MACHINE_READY)
			continue;
		called = true;
		rc = l->c.meanwhile(l->c.context, e);
		/*
		 * A failed login also ends the stage that the callback runs.
		 * Ignore this error and go on waiting, so that failures of the
		 * other machines are reported, too.
		 */
		if (rc == -1 && (l->unreached || l->faults)) {
			*e = (struct hp_err){ 0 };
			rc = 0;
		}
	}
	return rc;
}

int
launcher_open(struct launcher **out, const struct job_config *c,
    struct node_facts *facts, struct hp_err *e)
{
	struct launcher *l = launcher_new(c, e);
	int rc;

	*out = l;
	if (l == NULL)
		return -1;
	memset(facts, 0, c->nodes * sizeof *facts);
	rc = register_nodes(l, e);
	l->facts = facts;
	l->began_s = clock_now_s();
	l->waiting = l->machines;
	if (rc == 0) {
		login_all(l);
		rc = wait_for_machines(l, e);
	}
	l->facts = NULL;
	return rc == 0 ? judge_logins(l, e) : -1;
}

void
launcher_limit_documents(struct launcher *l, uint64_t most)
{
	l->c.document_most = most;
}

int
launcher_signal(const struct launcher *l)
{
	return l->signal;
}

int
launcher_forget(struct launcher *l, struct hp_err *e)
{
	return journal_clear(l->journal, e);
}

static void
tell_to_end(struct launcher *l, struct machine *m, bool drop)
{
	struct message end = { .type = MESSAGE_END, .drop = drop };
	struct hp_err e;

	if (m->state < MACHINE_DIALING) {
		/* No agent has answered, so there is nothing to remove. */
		machine_kill(m);
		m->state = MACHINE_GONE;
	} else if (m->state < MACHINE_READY) {
		/*
		 * The agent may have made directories of its nodes. It removes
		 * them and ends when its connection closes.
		 */
		machine_close(m);
		m->state = MACHINE_GONE;
	} else if (m->state == MACHINE_READY) {
		m->state = MACHINE_ENDING;
		l->leaving++;
		m->paused = false;
		if (wire_send(&m->wire, &end, &e) == -1)
			machine_close(m);
		loop_push(&l->loop, m);
	}
}

/* Waits for logins to exit by themselves, at most REAP_S. */
static void
wait_for_logins(struct launcher *l)
{
	double pause_s = 0.0001, waited_s = 0;
	size_t left;
	int code;

	do {
		left = calls_left(l);
		for (size_t i = 0; i < l->machines; i++)
			left += l->machine[i].login.pid != -1 &&
			    !machine_ended(&l->machine[i], &code);
		if (left == 0)
			return;
		clock_sleep_s(pause_s);
		waited_s += pause_s;
		if (pause_s < 0.01)
			pause_s *= 2;
	} while (waited_s < REAP_S);
}

/*
 * Waits for agents to end, until the time limit or until a second signal
 * arrives.
 */
static void
wait_for_agents(struct launcher *l)
{
	double until_s;
	struct hp_err e;

	l->loop.timeout_s = PATIENCE_S + PATIENCE_OF_TIMEOUT * l->c.timeout_s;
	until_s = l->loop.now_s + l->loop.timeout_s +
	    CLEANUP_TIMEOUTS * l->c.timeout_s;
	while (l->leaving > 0 && l->signals < 2 && l->loop.now_s < until_s &&
	    loop_turn(&l->loop, &e) == 0)
		;
	for (size_t i = 0; i < l->machines; i++)
		if (l->machine[i].state == MACHINE_ENDING) {
			l->machine[i].hung = true;
			machine_close(&l->machine[i]);
		}
}

void
launcher_close(struct launcher *l, bool drop)
{
	if (l == NULL)
		return;
	for (size_t i = 0; i < l->machines; i++)
		tell_to_end(l, &l->machine[i], drop);
	wait_for_agents(l);
	/* With `drop`, the next attempt ends these agents (agent_lock.h). */
	for (size_t i = 0; i < l->machines && !drop; i++)
		if (l->machine[i].hung)
			tell_left(l, &l->machine[i]);
	wait_for_logins(l);
	launcher_free(l);
}
