#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/launcher_call.h"
#include "job/launcher_hear.h"
#include "job/launcher_login.h"
#include "job/launcher_stop.h"

/*
 * After `stop`, the launcher waits for the answer `stopped` for PATIENCE_S
 * seconds plus PATIENCE_OF_TIMEOUT times the timeout.
 */
#define PATIENCE_S 3.0
#define PATIENCE_OF_TIMEOUT 0.1

enum {
	SWEEPS = 100 /* attempts to find orphans of killed processes */
};

static bool
is_login(const struct launcher *l, pid_t pid)
{
	for (size_t i = 0; i < l->machines; i++)
		if (l->machine[i].login.pid == pid)
			return true;
	return calls_is_srun(l, pid);
}

/*
 * Kills all children of this process except logins. Returns whether there were
 * any such children.
 */
static bool
kill_strangers(const struct launcher *l)
{
	FILE *f = fopen("/proc/thread-self/children", "re");
	bool any = false;
	int pid;

	if (f == NULL)
		return false;
	while (fscanf(f, "%d", &pid) == 1) {
		if (is_login(l, pid))
			continue;
		any = true;
		kill(pid, SIGKILL);
		waitpid(pid, NULL, WNOHANG);
	}
	fclose(f);
	return any;
}

/*
 * Kills the commands of this machine's agent if the agent itself was killed.
 * The commands are then children of this process, which is their subreaper.
 */
static void
sweep_here(const struct launcher *l)
{
	for (int k = 0; k < SWEEPS && kill_strangers(l); k++)
		clock_sleep_s(0.001);
}

static void
ask_to_stop(struct launcher *l, struct machine *m)
{
	struct message stop = { .type = MESSAGE_STOP };
	struct hp_err e;

	m->stopping = true;
	l->stopping++;
	if (wire_send(&m->wire, &stop, &e) == -1)
		hear_fatal(l, &e);
	/*
	 * Continue reading from the machine, in order to drop data that are
	 * still on the way.
	 */
	if (m->paused)
		loop_resume(&l->loop, m);
	else
		loop_push(&l->loop, m);
}

/*
 * Logs in again to lost machines, because perhaps only their connections broke.
 */
static void
ask_once_more(struct launcher *l)
{
	struct machine *m;

	for (size_t i = 0; i < l->machines; i++) {
		m = &l->machine[i];
		if (!m->lost || m->asked || m->state != MACHINE_GONE)
			continue;
		m->asked = true;
		m->at_fault = false;
		m->tries = 0;
		l->returning++;
		login_begin(l, m);
	}
	calls_start(l);
}

/* Gives up the machines that have not answered `stop` or a new login. */
static void
give_up(struct launcher *l)
{
	struct hp_err why = { .kind = HP_LOST, .text = "silent" };
	struct machine *m;

	for (size_t i = 0; i < l->machines; i++) {
		m = &l->machine[i];
		if (m->stopping) {
			lose_machine(l, m, &why);
		} else if (m->lost && m->state < MACHINE_READY) {
			l->logins -= m->state == MACHINE_LOGIN;
			l->returning--;
			m->state = MACHINE_GONE;
			machine_kill(m);
		}
	}
}

int
stop_all(struct launcher *l, struct hp_err *e)
{
	double until_s = l->loop.now_s + PATIENCE_S +
	    PATIENCE_OF_TIMEOUT * l->c.timeout_s;
	size_t known = 0;
	int rc = 0;

	l->ending = true;
	if (l->streams.waiting > 0)
		loop_forget_other(&l->loop, STDOUT_FILENO);
	streams_kill(&l->streams);
	if (l->machine[0].lost)
		sweep_here(l);
	for (size_t i = 0; i < l->machines; i++)
		if (l->machine[i].state == MACHINE_READY && !l->machine[i].lost)
			ask_to_stop(l, &l->machine[i]);
	while (rc == 0 && l->fatal.kind == HP_NONE && l->loop.now_s < until_s) {
		if (l->nlost != known)
			ask_once_more(l);
		known = l->nlost;
		if (l->stopping == 0 && l->returning == 0)
			break;
		rc = loop_turn(&l->loop, e);
	}
	give_up(l);
	for (size_t i = 0; i < l->tasks; i++)
		if (l->task[i].state == TASK_RUNS)
			l->task[i].state = TASK_FAILED;
	l->running = 0;
	streams_clear(&l->streams);
	l->ending = false;
	return rc;
}
