/* The turns of several threads that write one output. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "run/output.h"
#include "test.h"

enum {
	WAITERS = 8,
	/* time after which a started thread is certainly waiting */
	ASLEEP_US = 20000,
	HANG_S = 60 /* an alarm ends a test in which a thread never wakes up */
};

struct waiter {
	pthread_t thread;
	struct output *out;
	size_t turn;
	off_t at;
};

static void *
wait_for_turn(void *arg)
{
	struct waiter *w = arg;

	w->at = output_wait(w->out, w->turn);
	if (w->at != -1)
		output_pass(w->out, w->at + 1);
	return NULL;
}

/*
 * The last turn waits first.  Waking only one thread would wake the wrong one.
 */
static void
start(struct waiter *w, struct output *out)
{
	for (size_t i = 0; i < WAITERS; i++) {
		w[i] = (struct waiter){ .out = out, .turn = WAITERS - i };
		REQUIRE(pthread_create(
			    &w[i].thread, NULL, wait_for_turn, &w[i]) == 0);
		usleep(ASLEEP_US);
	}
}

static void
open_output(struct output *out)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	CHECK(fd != -1);
	output_init(out, fd, "out");
}

static void
close_output(struct output *out)
{
	struct hp_err e = { 0 };

	CHECK(output_close(out, &e) == 0);
	close(out->fd);
}

static void
a_failure_ends_every_wait(void)
{
	struct waiter w[WAITERS];
	struct output out;

	open_output(&out);
	start(w, &out);
	output_fail(&out);
	for (size_t i = 0; i < WAITERS; i++) {
		pthread_join(w[i].thread, NULL);
		CHECK(w[i].at == -1);
	}
	CHECK(output_wait(&out, 0) == -1);
	close_output(&out);
}

static void
turns_come_in_order(void)
{
	struct waiter w[WAITERS];
	struct output out;

	open_output(&out);
	start(w, &out);
	CHECK(output_wait(&out, 0) == 0);
	output_pass(&out, 100);
	for (size_t i = 0; i < WAITERS; i++) {
		pthread_join(w[i].thread, NULL);
		CHECK_EQ_I64(w[i].at, 99 + (off_t)w[i].turn);
	}
	close_output(&out);
}

int
main(void)
{
	alarm(HANG_S);
	RUN(a_failure_ends_every_wait);
	RUN(turns_come_in_order);
	return test_done();
}
