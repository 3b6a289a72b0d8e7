#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "net/engineloop.h"
#include "net/pollset.h"
#include "net/reporting.h"

/*
 * A poll loop for sending, receiving or both. All deadlines use the clock of
 * the loop. In each turn of the loop this clock advances by at most one
 * heartbeat. So no peer counts as silent because this process was stopped or
 * waited for its disk.
 */
struct loop {
	struct engine *en;
	struct sending *s; /* one may be NULL */
	struct receiving *r;
	struct pollfd *set;
	struct pollfd *open; /* those of `set` that have a descriptor */
	size_t nfds;
	double clock_s, looked_s;
	int rc;
	bool failed; /* this loop failed first; e says how */
	struct hp_err e;
};

static int
loop_init(struct loop *l, struct engine *en, struct sending *s,
    struct receiving *r, struct hp_err *e)
{
	*l = (struct loop){ .en = en,
		.s = s,
		.r = r,
		.nfds = (s != NULL ? sending_fds(en) : 0) +
		    (r != NULL ? receiving_fds(r) : 0),
		.looked_s = clock_now_s() };
	l->set = calloc(l->nfds, sizeof *l->set);
	l->open = calloc(l->nfds, sizeof *l->open);
	if (l->set == NULL || l->open == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", en->x->nodes);
	return 0;
}

static void
turn_clock(struct loop *l)
{
	double now_s = clock_now_s(), passed_s = now_s - l->looked_s;

	l->looked_s = now_s;
	l->clock_s += passed_s < l->en->beat_s ? passed_s : l->en->beat_s;
	if (l->s != NULL)
		l->s->clock_s = l->clock_s;
	if (l->r != NULL)
		l->r->clock_s = l->clock_s;
}

/*
 * Runs one turn of the poll loop. Returns 1 when the exchange is complete, 0 to
 * continue, or -1.
 */
static int
turn(struct loop *l)
{
	struct pollfd *of_r = l->set + (l->s != NULL ? sending_fds(l->en) : 0);
	double wait_s = l->en->beat_s / 2;

	turn_clock(l);
	reporting_turn(l->en, l->s, l->r);
	if ((l->s != NULL &&
		sending_turn(l->s, l->set, &wait_s, &l->e) == -1) ||
	    (l->r != NULL && receiving_turn(l->r, of_r, &wait_s, &l->e) == -1))
		return -1;
	if ((l->s == NULL || sending_done(l->s)) &&
	    (l->r == NULL || receiving_done(l->r)))
		return 1;
	if (pollset_wait(l->set, l->nfds, l->open,
		wait_s > 0 ? (int)(wait_s * 1000) + 1 : 0) == -1) {
		if (errno == EINTR)
			return 0;
		return hp_fail_errno(&l->e, HP_IO, "poll");
	}
	if ((l->s != NULL && sending_serve(l->s, l->set, &l->e) == -1) ||
	    (l->r != NULL && receiving_serve(l->r, of_r, &l->e) == -1))
		return -1;
	return 0;
}

static void *
loop_run(void *arg)
{
	struct loop *l = arg;

	while ((l->rc = turn(l)) == 0)
		if (atomic_load(&l->en->stop))
			break;
	l->failed = l->rc == -1 && !atomic_flag_test_and_set(&l->en->failed);
	if (l->failed)
		atomic_store(&l->en->stop, true);
	return NULL;
}

/* Sends in a new thread and receives in this thread. */
static int
run_threads(struct loop *r, struct loop *s, struct hp_err *e)
{
	pthread_t sender;
	int errnum = pthread_create(&sender, NULL, loop_run, s);

	if (errnum != 0) {
		errno = errnum;
		return hp_fail_errno(e, HP_NOMEM, "thread");
	}
	loop_run(r);
	pthread_join(sender, NULL);
	return 0;
}

int
engineloop_run(
    struct engine *en, struct sending *s, struct receiving *r, struct hp_err *e)
{
	bool threads = en->x->threads != 0;
	struct loop a = { 0 }, b = { 0 };
	int rc = -1;

	if (loop_init(&a, en, threads ? NULL : s, r, e) == -1 ||
	    (threads && loop_init(&b, en, s, NULL, e) == -1))
		goto out;
	if (!threads)
		loop_run(&a);
	else if (run_threads(&a, &b, e) == -1)
		goto out;
	rc = a.failed || b.failed ? -1 : 0;
	if (rc == -1)
		*e = a.failed ? a.e : b.e;
out:
	free(a.set);
	free(a.open);
	free(b.set);
	free(b.open);
	return rc;
}
