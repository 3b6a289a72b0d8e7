#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "base/team.h"

enum {
	/*
	 * Stack of a thread in bytes; the default of 8 MiB takes too much
	 * address space.
	 */
	STACK = 1 << 19
};

struct member {
	pthread_t thread;
	int (*work)(void *, unsigned);
	void *ctx;
	unsigned i;
	int rc;
	/*
	 * Semaphore with the number of threads that may still start to run.
	 * NULL: no limit.
	 */
	sem_t *slots;
};

static _Thread_local sem_t *my_slots;

void
team_wait(void)
{
	if (my_slots != NULL)
		sem_post(my_slots);
}

void
team_go_on(void)
{
	int saved = errno;

	if (my_slots != NULL)
		while (sem_wait(my_slots) == -1)
			;
	errno = saved;
}

static void *
member_main(void *arg)
{
	struct member *m = arg;

	my_slots = m->slots;
	team_go_on();
	m->rc = m->work(m->ctx, m->i);
	team_wait();
	my_slots = NULL;
	return NULL;
}

static int
run(unsigned n, sem_t *slots, int (*work)(void *, unsigned), void *ctx,
    struct hp_err *e)
{
	struct member *m;
	pthread_attr_t attr;
	unsigned started;
	int err = 0, rc;

	if ((m = calloc(n, sizeof *m)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "threads");
	for (unsigned i = 0; i < n; i++)
		m[i] = (struct member){
			.work = work, .ctx = ctx, .i = i, .slots = slots
		};
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (started = 1; started < n; started++) {
		err = pthread_create(
		    &m[started].thread, &attr, member_main, &m[started]);
		if (err != 0)
			break;
	}
	pthread_attr_destroy(&attr);
	member_main(&m[0]);
	rc = m[0].rc;
	for (unsigned i = 1; i < started; i++) {
		pthread_join(m[i].thread, NULL);
		if (m[i].rc == -1)
			rc = -1;
	}
	free(m);
	if (err != 0) {
		errno = err;
		return hp_fail_errno(e, HP_NOMEM, "threads");
	}
	return rc;
}

int
team_run(unsigned n, int (*work)(void *, unsigned), void *ctx, struct hp_err *e)
{
	return n <= 1 ? work(ctx, 0) : run(n, NULL, work, ctx, e);
}

int
team_run_spare(
    unsigned n, int (*work)(void *, unsigned), void *ctx, struct hp_err *e)
{
	sem_t slots;
	int rc;

	sem_init(&slots, 0, n);
	rc = run(n + TEAM_SPARE, &slots, work, ctx, e);
	sem_destroy(&slots);
	return rc;
}

int
team_error(const struct hp_err *err, unsigned n, struct hp_err *e)
{
	for (unsigned i = 0; i < n && e->kind == HP_NONE; i++)
		*e = err[i];
	return -1;
}
