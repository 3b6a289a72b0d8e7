#include <math.h>
#include <string.h>

#include "job/launcher_dial.h"
#include "job/launcher_open.h"
#include "job/launcher_tell.h"

/*
 * TCP must connect within CONNECT_S seconds, and within CONNECT_OF_TIMEOUT
 * times the timeout. The limits are short, because the run waits meanwhile: a
 * firewall may drop packets without an answer.
 */
#define CONNECT_S 2.0
/*
 * After TCP has connected, the agent must prove within HANDSHAKE_OF_TIMEOUT
 * times the timeout that it knows the key. This limit is longer: the port can
 * be reached, so the wait is likely to succeed even if the host is slow or
 * busy, and without a direct connection data would take much longer.
 *
 * Together, the two limits are shorter than the timeout. The agent learns the
 * timeout only from `open`, so it may send no beat while the launcher connects.
 */
#define CONNECT_OF_TIMEOUT 0.25
#define HANDSHAKE_OF_TIMEOUT 0.5

/*
 * Uses the login as the connection. The agent again has the whole timeout to
 * answer.
 */
static int
fall_back(struct launcher *l, struct machine *m, struct hp_err *why)
{
	machine_hang_up(m);
	m->heard_s = l->loop.now_s;
	return open_begin(l, m, why);
}

/*
 * Falls back to the login, and tells the user the reason. The message appears
 * only once in a run, for the first such machine.
 */
static int
by_login(struct launcher *l, struct machine *m, const char *reason,
    struct hp_err *why)
{
	if (!l->undialed)
		tell_note(l, "%s: %s, so data pass through the login", m->name,
		    reason);
	l->undialed = true;
	return fall_back(l, m, why);
}

static int
unreachable(struct launcher *l, struct machine *m, struct hp_err *why)
{
	bool write;

	loop_forget_other(&l->loop, dial_waits(m->dial, &write));
	return by_login(l, m, "its port cannot be reached", why);
}

int
dial_ask(struct launcher *l, struct machine *m, struct hp_err *why)
{
	struct message listen = { .type = MESSAGE_LISTEN };
	char key[MESSAGE_KEY + 1] = "";
	int rc;

	machine_hang_up(m);
	if (l->few_files)
		return by_login(l, m,
		    "the limit of open files is too low for a direct "
		    "connection",
		    why);
	if ((l->tls.ctx != NULL || dial_init(&l->tls, why) == 0))
		m->dial = dial_new(&l->tls, m->name, why);
	if (m->dial == NULL)
		return why->kind == HP_NOMEM ? -1 : fall_back(l, m, why);
	memcpy(key, m->dial->key.bytes, MESSAGE_KEY);
	listen.key = key;
	m->dial->until_s = l->loop.now_s + l->c.timeout_s;
	rc = wire_send(&m->wire, &listen, why);
	explicit_bzero(key, sizeof key);
	return rc;
}

int
dial_answer(struct launcher *l, struct machine *m, const struct message *msg,
    struct hp_err *why)
{
	struct hp_err e = { 0 };
	bool write;
	int fd;

	if (dial_waits(m->dial, &write) != -1)
		return not_asked(m, why);
	if (dial_begin(m->dial, msg->address, (uint16_t)msg->port, &e) == -1)
		return e.kind == HP_INPUT ? fall_back(l, m, why)
					  : unreachable(l, m, why);
	m->dial->until_s = l->loop.now_s +
	    fmin(CONNECT_S, CONNECT_OF_TIMEOUT * l->c.timeout_s);
	fd = dial_waits(m->dial, &write);
	return loop_watch_other(&l->loop, fd, write, why);
}

static struct machine *
find(struct launcher *l, int fd)
{
	bool write;

	for (size_t i = 0; i < l->machines; i++)
		if (l->machine[i].state == MACHINE_DIALING &&
		    l->machine[i].dial != NULL &&
		    dial_waits(l->machine[i].dial, &write) == fd)
			return &l->machine[i];
	return NULL;
}

static int
go_on(struct launcher *l, struct machine *m, struct hp_err *e)
{
	struct hp_err why = { 0 };
	bool wrote, write;
	int fd = dial_waits(m->dial, &wrote), rc = dial_go_on(m->dial, &why);

	if (rc == -1)
		return unreachable(l, m, e);
	dial_waits(m->dial, &write);
	if (rc == 0 && wrote == write)
		return 0;
	loop_forget_other(&l->loop, fd);
	if (rc == 0) {
		m->dial->until_s = l->loop.now_s +
		    HANDSHAKE_OF_TIMEOUT * l->c.timeout_s;
		return loop_watch_other(&l->loop, fd, write, e);
	}
	loop_go_direct(&l->loop, m);
	return open_begin(l, m, e);
}

bool
dials_hear(struct launcher *l, int fd)
{
	struct machine *m = find(l, fd);
	struct hp_err e = { 0 };

	if (m == NULL)
		return false;
	if (go_on(l, m, &e) == -1)
		hear_fatal(l, &e);
	else
		loop_push(&l->loop, m);
	return true;
}

void
dial_tick(struct launcher *l, struct machine *m)
{
	struct hp_err e = { 0 };
	bool write;
	int rc;

	if (l->loop.now_s < m->dial->until_s)
		return;
	rc = dial_waits(m->dial, &write) == -1
	    ? by_login(l, m, "its agent does not listen", &e)
	    : unreachable(l, m, &e);
	if (rc == -1)
		hear_fatal(l, &e);
	else
		loop_push(&l->loop, m);
}
