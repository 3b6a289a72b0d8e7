#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/names.h"
#include "cmd.h"
#include "watchdog.h"

static int64_t
now_ms(void)
{
	return (int64_t)(clock_now_s() * 1e3);
}

/*
 * Prints a line with write(2) instead of stdio, because another thread may hold
 * the lock of stderr.
 */
static void
tell(const struct watch *w, const char *text)
{
	char line[1024];
	ssize_t ignored;
	int n = snprintf(line, sizeof line, "hpexchange-mpi: %s%s%s\n",
	    w->me != NULL ? w->me : "", w->me != NULL ? ": " : "", text);

	if (n >= (int)sizeof line)
		n = (int)sizeof line - 1;
	ignored = write(STDERR_FILENO, line, (size_t)n);
	(void)ignored;
}

static _Noreturn void
give_up(int status)
{
	names_remove();
	_exit(status);
}

/* Ends the process if a peer was silent for longer than the timeout. */
static void
check_peers(const struct watch *w, int64_t now, int64_t from)
{
	int64_t heard, timeout = (int64_t)(w->timeout_s * 1e3);
	bool lost = false;
	char text[512];

	for (uint32_t i = 0; i < w->nodes; i++) {
		const struct watch_peer *p = &w->peer[i];

		heard = atomic_load(&p->heard);
		if (atomic_load(&p->over) ||
		    now - (heard > from ? heard : from) <= timeout)
			continue;
		snprintf(text, sizeof text, "lost node %s: %s %g s", p->name,
		    heard < 0 ? "not connected after" : "silent for",
		    w->timeout_s);
		tell(w, text);
		lost = true;
	}
	if (lost)
		give_up(EXIT_LOST);
}

/*
 * Ends the process if MPI_Init or MPI_Finalize, which wait for all nodes, takes
 * longer than the timeout.
 */
static void
check_call(
    const struct watch *w, enum watch_phase phase, int64_t now, int64_t from)
{
	char text[512];

	if (now - from <= (int64_t)(w->timeout_s * 1e3))
		return;
	if (phase == WATCH_INIT) {
		snprintf(text, sizeof text,
		    "MPI_Init: not all processes have called it after %g s",
		    w->timeout_s);
		tell(w, text);
		give_up(EXIT_LOST);
	}
	snprintf(text, sizeof text,
	    "MPI_Finalize: not all processes have called it after %g s; "
	    "the outputs of this node are complete",
	    w->timeout_s);
	tell(w, text);
	give_up(EXIT_DONE);
}

static void *
watch(void *of)
{
	struct watch *w = of;
	double tick_s = fmin(w->timeout_s / 8, 0.25);
	int64_t now, last = now_ms(), from = 0;
	enum watch_phase phase;

	for (;;) {
		usleep((useconds_t)(tick_s * 1e6));
		now = now_ms();
		/*
		 * If this process was itself stopped for a while, count the
		 * peers' silence only from now on.
		 */
		if (now - last > (int64_t)(w->timeout_s * 500 + tick_s * 1e3))
			from = now;
		last = now;
		phase = (enum watch_phase)atomic_load(&w->phase);
		if (from < atomic_load(&w->since))
			from = atomic_load(&w->since);
		if (phase == WATCH_PEERS)
			check_peers(w, now, from);
		else if (phase != WATCH_OFF)
			check_call(w, phase, now, from);
	}
	return NULL;
}

int
watch_start(struct watch *w, double timeout_s, struct hp_err *e)
{
	int err;

	*w = (struct watch){ .timeout_s = timeout_s };
	atomic_store(&w->since, now_ms());
	if ((err = pthread_create(&w->thread, NULL, watch, w)) != 0) {
		hp_fail(e, HP_IO, "watchdog");
		e->errnum = err;
		return -1;
	}
	pthread_detach(w->thread);
	return 0;
}

int
watch_peers(struct watch *w, const char *const *name, uint32_t nodes,
    uint32_t me, struct hp_err *e)
{
	if ((w->peer = calloc(nodes, sizeof *w->peer)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
	for (uint32_t i = 0; i < nodes; i++) {
		w->peer[i].name = name[i];
		atomic_store(&w->peer[i].heard, -1);
		atomic_store(&w->peer[i].over, i == me);
	}
	w->nodes = nodes;
	w->me = name[me];
	watch_phase(w, WATCH_PEERS);
	return 0;
}

void
watch_phase(struct watch *w, enum watch_phase phase)
{
	atomic_store(&w->since, now_ms());
	atomic_store(&w->phase, phase);
}

void
watch_heard(struct watch *w, uint32_t rank)
{
	atomic_store(&w->peer[rank].heard, now_ms());
}

void
watch_over(struct watch *w, uint32_t rank)
{
	atomic_store(&w->peer[rank].over, true);
}
