/* Threads for one phase of a job. */

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "base/team.h"
#include "test.h"

enum {
	MOST = 8 /* threads of a test */
};

static unsigned start_most = MOST; /* number of threads that can be started */

int
pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr,
    void *(*function)(void *), void *restrict arg)
{
	int (*real)(
	    pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	if (start_most == 0)
		return EAGAIN;
	start_most--;
	return real(thread, attr, function, arg);
}

/* Replaces the function of libc: a signal interrupts each wait once. */
int
sem_wait(sem_t *s)
{
	static _Thread_local bool again;

	again = !again;
	if (!again)
		return sem_clockwait(s, CLOCK_MONOTONIC,
		    &(struct timespec){ .tv_sec = INT32_MAX });
	errno = EINTR;
	return -1;
}

struct work {
	/* calls by the number of the thread */
	_Atomic unsigned calls[MOST + TEAM_SPARE];
	unsigned fails; /* number of the thread that returns -1; MOST: none */
	bool alone;	/* the work ran in the calling thread */
	pthread_t caller;
	/* current and greatest number of threads running at once */
	_Atomic unsigned running, most;
	pthread_barrier_t all;
};

static int
count(void *ctx, unsigned i)
{
	struct work *w = ctx;

	w->calls[i]++;
	if (pthread_equal(pthread_self(), w->caller) != 0)
		w->alone = i == 0;
	return i == w->fails ? -1 : 0;
}

static void
each_thread_works_once(void)
{
	struct hp_err e = { .kind = HP_INPUT };

	for (unsigned n = 1; n <= MOST; n++)
		for (unsigned fails = 0; fails <= n; fails++) {
			struct work w = { .fails = fails,
				.caller = pthread_self() };

			start_most = n - 1; /* the calling thread counts, too */
			CHECK_EQ_I64(
			    team_run(n, count, &w, &e), fails < n ? -1 : 0);
			for (unsigned i = 0; i < MOST; i++)
				CHECK_EQ_U64(w.calls[i], i < n);
			CHECK(w.alone);
		}
	/* The team keeps the error that the work has set. */
	CHECK(e.kind == HP_INPUT);
}

static void
threads_that_do_not_start(void)
{
	for (unsigned most = 0; most < 3; most++) {
		struct work w = { .fails = MOST, .caller = pthread_self() };
		struct hp_err e = { 0 };

		start_most = most;
		CHECK_EQ_I64(team_run(4, count, &w, &e), -1);
		CHECK(e.kind == HP_NOMEM && e.errnum == EAGAIN);
		CHECK_EQ_STR(e.text, "threads");
		for (unsigned i = 0; i < 4; i++)
			CHECK_EQ_U64(w.calls[i], i <= most);
	}
	start_most = MOST;
}

static void
runs(struct work *w)
{
	unsigned now = ++w->running, most = w->most;

	while (
	    now > most && !atomic_compare_exchange_weak(&w->most, &most, now))
		;
	usleep(5000);
	w->running--;
}

/*
 * All threads meet at a barrier: when one waits there, a spare thread takes its
 * place.
 */
static int
meet(void *ctx, unsigned i)
{
	struct work *w = ctx;

	w->calls[i]++;
	runs(w);
	team_wait();
	pthread_barrier_wait(&w->all);
	errno = ERANGE;
	team_go_on();
	if (errno != ERANGE)
		w->most = MOST;
	runs(w);
	return i == w->fails ? -1 : 0;
}

static void
spare_threads_run_during_a_wait(void)
{
	struct hp_err e;

	for (unsigned n = 1; n <= 3; n++)
		for (unsigned fails = n + 1; fails <= n + 2; fails++) {
			struct work w = { .fails = fails };

			start_most = MOST;
			pthread_barrier_init(&w.all, NULL, n + TEAM_SPARE);
			alarm(60);
			CHECK_EQ_I64(team_run_spare(n, meet, &w, &e),
			    fails < n + TEAM_SPARE ? -1 : 0);
			alarm(0);
			for (unsigned i = 0; i < n + TEAM_SPARE; i++)
				CHECK_EQ_U64(w.calls[i], 1);
			CHECK(w.most >= 1 && w.most <= n);
			pthread_barrier_destroy(&w.all);
		}
	/*
	 * In a thread that is in no team, team_wait and team_go_on have no
	 * effect.
	 */
	alarm(60);
	team_wait();
	team_go_on();
	alarm(0);
}

int
main(void)
{
	RUN(each_thread_works_once);
	RUN(threads_that_do_not_start);
	RUN(spare_threads_run_during_a_wait);
	return test_done();
}
