/* Buffers of several threads, written in order. */
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/team.h"
#include "run/delivery.h"
#include "test.h"

enum {
	SIZE = 1 << 12,
	PIECES = 300,
	THREADS = 4,
	REPEATED = 7 /* every REPEATED-th piece is its first byte, SIZE times */
};

struct job {
	struct delivery to;
	const unsigned char *data;
	size_t cut[PIECES + 1];
	_Atomic size_t next;
	struct hp_err err[THREADS];
	bool stopped[THREADS];
};

static int
send_pieces(void *ctx, unsigned w)
{
	struct job *j = ctx;
	unsigned char *x;
	size_t i, n, most;

	while ((i = atomic_fetch_add(&j->next, 1)) < PIECES) {
		n = most = j->cut[i + 1] - j->cut[i];
		if ((x = delivery_buffer(&j->to, i)) == NULL) {
			j->stopped[w] = true;
			return -1;
		}
		if (i % REPEATED == 0 && n > 1)
			n = 1 + i % (n - 1);
		memcpy(x, j->data + j->cut[i], n);
		if (delivery_send(&j->to, i, x, n, most, &j->err[w]) == -1) {
			output_fail(j->to.out);
			return -1;
		}
	}
	return 0;
}

/* Returns PIECES pieces of random bytes. Some consist of one repeated byte. */
static unsigned char *
make_data(struct job *j)
{
	unsigned char *x = malloc((size_t)PIECES * SIZE);
	size_t at = 0, n, period;

	for (size_t i = 0; i < PIECES; i++) {
		j->cut[i] = at;
		n = test_below(10) == 0 ? 0 : test_below(SIZE) + 1;
		period = i % REPEATED == 0 && n > 1 ? 1 + i % (n - 1) : n;
		for (size_t k = 0; k < n; k++)
			x[at + k] = k < period ? (unsigned char)test_random()
					       : x[at + k - period];
		at += n;
	}
	j->cut[PIECES] = at;
	j->data = x;
	return x;
}

static int
deliver(struct job *j, int fd, unsigned threads, unsigned writers,
    size_t buffers, off_t *end)
{
	unsigned char *room = malloc(buffers * SIZE);
	struct hp_err e = { 0 };
	struct output out;
	int rc;

	output_init(&out, fd, "out");
	rc = delivery_init(&j->to, &out, writers, room, buffers, SIZE, &e);
	if (rc == 0)
		rc = team_run(threads, send_pieces, j, &e);
	*end = out.at;
	delivery_fini(&j->to);
	output_close(&out, &e);
	free(room);
	return rc;
}

static void
in_order(void)
{
	for (unsigned threads = 1; threads <= THREADS; threads++)
		for (unsigned writers = 1; writers <= threads; writers++) {
			FILE *f = tmpfile();
			struct job j = { 0 };
			unsigned char *data = make_data(&j), *got;
			size_t n = j.cut[PIECES];
			off_t end;

			REQUIRE(f != NULL);
			CHECK(deliver(&j, fileno(f), threads, writers,
				  threads + test_below(3), &end) == 0);
			CHECK_EQ_U64((uint64_t)end, n);
			got = malloc(n + 1);
			CHECK(pread(fileno(f), got, n + 1, 0) == (ssize_t)n);
			CHECK(memcmp(got, data, n) == 0);
			fclose(f);
			free(got);
			free(data);
		}
}

static void
full_disk(void)
{
	struct job j = { 0 };
	unsigned char *data = make_data(&j);
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC), errors = 0;
	off_t end;

	REQUIRE(fd != -1);
	CHECK(deliver(&j, fd, THREADS, 1, THREADS, &end) == -1);
	for (unsigned w = 0; w < THREADS; w++) {
		errors += j.err[w].kind == HP_IO;
		CHECK(j.err[w].kind == HP_NONE || !j.stopped[w]);
	}
	CHECK(errors == 1);
	close(fd);
	free(data);
}

/* ---- single steps of a delivery
 * -------------------------------------------- */

enum {
	FEW = 2, /* number of buffers */
	/* time after which a started thread is certainly waiting */
	ASLEEP_US = 50000,
	HANG_S = 60 /* an alarm ends a test in which a thread never wakes up */
};

static struct {
	bool on;
	/* calls of write so far; the number of the call that fails */
	unsigned calls, refused;
} writes;

/* Replaces the function of libc. */
ssize_t
write(int fd, const void *from, size_t n)
{
	if (writes.on && ++writes.calls == writes.refused) {
		errno = EIO;
		return -1;
	}
	return syscall(SYS_write, fd, from, n);
}

struct waiter {
	pthread_t thread;
	struct delivery *to;
	size_t number;
	unsigned char *buf;
};

static void *
wait_for_buffer(void *arg)
{
	struct waiter *w = arg;

	w->buf = delivery_buffer(w->to, w->number);
	return NULL;
}

static void
start_waiter(struct waiter *w, struct delivery *to, size_t number)
{
	*w = (struct waiter){ .to = to, .number = number };
	REQUIRE(pthread_create(&w->thread, NULL, wait_for_buffer, w) == 0);
	usleep(ASLEEP_US);
}

/* A delivery into a pipe that is large enough for all data sent. */
struct steps {
	int fd[2];
	struct output out;
	struct delivery to;
	unsigned char room[FEW * SIZE];
	unsigned char *buf[FEW];
};

static void
begin_steps(struct steps *s, unsigned refused)
{
	struct hp_err e = { 0 };

	REQUIRE(pipe(s->fd) == 0);
	output_init(&s->out, s->fd[1], "out");
	REQUIRE(delivery_init(&s->to, &s->out, 1, s->room, FEW, SIZE, &e) == 0);
	for (size_t i = 0; i < FEW; i++) {
		REQUIRE((s->buf[i] = delivery_buffer(&s->to, i)) != NULL);
		memset(s->buf[i], 'a' + (int)i, SIZE);
	}
	writes.calls = 0;
	writes.refused = refused;
	writes.on = true;
}

/* Ends the delivery and returns the number of bytes written. */
static size_t
end_steps(struct steps *s)
{
	struct hp_err e = { 0 };
	char got[FEW * SIZE + 1];
	ssize_t n;
	size_t all = 0;

	writes.on = false;
	delivery_fini(&s->to);
	CHECK(output_close(&s->out, &e) == 0);
	close(s->fd[1]);
	while ((n = read(s->fd[0], got, sizeof got)) > 0)
		all += (size_t)n;
	close(s->fd[0]);
	return all;
}

/*
 * The thread whose turn is later waits first.  Waking only one thread would
 * wake the wrong one.
 */
static void
every_waiter_looks_for_a_buffer(void)
{
	struct steps s;
	struct waiter later, sooner;
	struct hp_err e = { 0 };

	begin_steps(&s, 0);
	start_waiter(&later, &s.to, FEW + 1);
	start_waiter(&sooner, &s.to, FEW);
	CHECK(delivery_send(&s.to, 0, s.buf[0], SIZE, SIZE, &e) == 0);
	pthread_join(sooner.thread, NULL);
	CHECK(sooner.buf == s.buf[0]);
	CHECK(delivery_send(&s.to, 1, s.buf[1], SIZE, SIZE, &e) == 0);
	pthread_join(later.thread, NULL);
	CHECK(later.buf == s.buf[1]);
	CHECK_EQ_U64(end_steps(&s), FEW * SIZE);
}

static void
nothing_follows_a_failed_write(void)
{
	struct steps s;
	struct waiter w[FEW];
	struct hp_err e = { 0 }, other = { 0 };

	begin_steps(&s, 1);
	for (size_t i = 0; i < FEW; i++)
		start_waiter(&w[i], &s.to, FEW + i);
	CHECK(delivery_send(&s.to, 1, s.buf[1], SIZE, SIZE, &e) == 0);
	CHECK_EQ_U64(writes.calls, 0);
	CHECK(delivery_send(&s.to, 0, s.buf[0], SIZE, SIZE, &e) == -1);
	CHECK(e.kind == HP_IO);
	CHECK_EQ_I64(e.errnum, EIO);
	/* A failed write wakes the waiting threads without output_fail. */
	for (size_t i = 0; i < FEW; i++) {
		pthread_join(w[i].thread, NULL);
		CHECK(w[i].buf == NULL);
	}
	CHECK(delivery_buffer(&s.to, FEW) == NULL);
	/*
	 * A thread that filled its buffer before the failure may still send it.
	 */
	CHECK(delivery_send(&s.to, 1, s.buf[1], SIZE, SIZE, &other) == 0);
	CHECK_EQ_U64(writes.calls, 1);
	CHECK_EQ_U64(end_steps(&s), 0);
}

/* A buffer that needs several writes stops at the first that fails. */
static void
a_buffer_ends_at_a_failed_write(void)
{
	struct steps s;
	struct hp_err e = { 0 };

	begin_steps(&s, 2);
	CHECK(delivery_send(&s.to, 0, s.buf[0], SIZE / 4, SIZE, &e) == -1);
	CHECK_EQ_U64(writes.calls, 2);
	CHECK_EQ_U64(end_steps(&s), SIZE / 4);
}

int
main(void)
{
	alarm(HANG_S);
	RUN(in_order);
	RUN(full_disk);
	RUN(every_waiter_looks_for_a_buffer);
	RUN(nothing_follows_a_failed_write);
	RUN(a_buffer_ends_at_a_failed_write);
	return test_done();
}
