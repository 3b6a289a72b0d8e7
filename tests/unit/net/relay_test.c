/*
 * The far end of an ssh connection: a node listens on a Unix socket, and the
 * test has the descriptors that ssh would have.
 */

#include <sys/socket.h>
#include <sys/un.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/io.h"
#include "net/relay.h"
#include "net/wire.h"
#include "test.h"

enum {
	BULK = 3 << 20, /* more bytes than all buffers in between can hold */
	GULP = 10000	/* bytes per read */
};

static char dir[] = "relay.XXXXXX";

struct bench {
	int listener, node; /* the node's listener and its connection */
	int to, from;	    /* ssh's ends of the pipes */
	int in, out;	    /* the relay's ends of the same pipes */
	double timeout_s;
	pthread_t thread;
	struct hp_err e;
	int rc;
};

static void *
run(void *arg)
{
	struct bench *b = arg;
	struct address at = { .name = "one", .dir = dir };

	b->rc = relay_run(&at, b->timeout_s, b->in, b->out, &b->e);
	close(b->in);
	close(b->out);
	return NULL;
}

static struct sockaddr_un
address(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof a.sun_path, "%s/exchange.sock", dir);
	return a;
}

static void
listen_as_node(struct bench *b)
{
	struct sockaddr_un a = address();

	b->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	CHECK(bind(b->listener, (struct sockaddr *)&a, sizeof a) == 0 &&
	    listen(b->listener, 1) == 0);
}

static void
start(struct bench *b, double timeout_s)
{
	int in[2], out[2];

	*b = (struct bench){
		.listener = -1, .node = -1, .timeout_s = timeout_s
	};
	CHECK(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
	b->in = in[0];
	b->to = in[1];
	b->from = out[0];
	b->out = out[1];
}

static void
finish(struct bench *b)
{
	struct sockaddr_un a = address();

	pthread_join(b->thread, NULL);
	if (b->listener != -1)
		close(b->listener);
	if (b->node != -1)
		close(b->node);
	if (b->to != -1)
		close(b->to);
	close(b->from);
	unlink(a.sun_path);
}

static unsigned char sent[BULK]; /* random data */

/* Writes all data in a thread of its own, then closes the stream. */
static void *
write_bulk(void *arg)
{
	int fd = *(int *)arg;

	CHECK_EQ_I64(io_write(fd, sent, BULK), 0);
	if (shutdown(fd, SHUT_WR) == -1)
		close(fd);
	return NULL;
}

/* Reads to the end in small pieces, so that the writes are split. */
static void
read_bulk(int fd)
{
	static unsigned char got[BULK + 1];
	size_t n = 0;
	ssize_t r;

	while (n < sizeof got &&
	    (r = read(fd, got + n,
		 sizeof got - n < GULP ? sizeof got - n : GULP)) > 0) {
		n += (size_t)r;
		if (n % 16 == 0)
			sched_yield();
	}
	CHECK_BYTES(got, n, sent, (size_t)BULK);
}

/* Each direction reaches its end, even after the other one has ended. */
static void
bytes_go_both_ways(void)
{
	struct bench b;
	pthread_t writer;

	start(&b, 60);
	listen_as_node(&b);
	pthread_create(&b.thread, NULL, run, &b);
	b.node = accept(b.listener, NULL, NULL);
	pthread_create(&writer, NULL, write_bulk, &b.to);
	read_bulk(b.node);
	pthread_join(writer, NULL);
	b.to = -1;
	pthread_create(&writer, NULL, write_bulk, &b.node);
	read_bulk(b.from);
	pthread_join(writer, NULL);
	finish(&b);
	CHECK_EQ_I64(b.rc, 0);
}

/* A direction that is blocked does not block the other one. */
static void
the_node_is_heard_while_it_takes_nothing(void)
{
	struct bench b;
	pthread_t writer;
	char word[5] = "";

	start(&b, 60);
	listen_as_node(&b);
	pthread_create(&b.thread, NULL, run, &b);
	b.node = accept(b.listener, NULL, NULL);
	pthread_create(&writer, NULL, write_bulk, &b.to);
	for (int i = 0; i < 3; i++) {
		CHECK(write(b.node, "word", 4) == 4);
		CHECK(io_read(b.from, word, 4) == 4);
		CHECK_EQ_STR(word, "word");
	}
	read_bulk(b.node);
	pthread_join(writer, NULL);
	b.to = -1;
	close(b.node);
	b.node = -1;
	CHECK_EQ_I64(read(b.from, word, 1), 0);
	finish(&b);
	CHECK_EQ_I64(b.rc, 0);
}

/* The node may start later than the calling side. */
static void
a_node_may_start_later(void)
{
	const struct timespec nap = { .tv_nsec = 100000000 };
	struct bench b;
	char byte = 0;

	start(&b, 60);
	pthread_create(&b.thread, NULL, run, &b);
	nanosleep(&nap, NULL);
	listen_as_node(&b);
	b.node = accept(b.listener, NULL, NULL);
	CHECK(write(b.node, "x", 1) == 1);
	CHECK(read(b.from, &byte, 1) == 1 && byte == 'x');
	close(b.node);
	b.node = -1;
	finish(&b);
	CHECK_EQ_I64(b.rc, 0);
}

/* If no node listens, the calling side gets the same message as from a node. */
static void
a_node_that_never_starts_is_an_error(void)
{
	unsigned char bytes[HELLO_SIZE];
	struct hello h;
	struct bench b;

	start(&b, 0.1);
	pthread_create(&b.thread, NULL, run, &b);
	REQUIRE(io_read(b.from, bytes, sizeof bytes) == sizeof bytes);
	CHECK_EQ_I64(hello_decode(bytes, sizeof bytes, &h), 1);
	CHECK(h.verdict == VERDICT_GONE);
	CHECK_EQ_I64(read(b.from, bytes, 1), 0);
	finish(&b);
	CHECK_EQ_I64(b.rc, -1);
	CHECK_EQ_I64(b.e.kind, HP_LOST);
	CHECK_EQ_STR(b.e.text, "one: not connected after 0.1 s");
}

/* A calling side that closes the connection meanwhile gets no message. */
static void
a_login_that_closes_the_connection_gets_no_message(void)
{
	struct bench b;
	char byte;

	start(&b, 60);
	pthread_create(&b.thread, NULL, run, &b);
	close(b.to);
	b.to = -1;
	CHECK_EQ_I64(read(b.from, &byte, 1), 0);
	finish(&b);
	CHECK_EQ_I64(b.rc, 0);
}

int
main(void)
{
	signal(SIGPIPE, SIG_IGN);
	test_scratch();
	if (mkdtemp(dir) == NULL)
		return 2;
	for (size_t i = 0; i < BULK; i++)
		sent[i] = (unsigned char)test_random();
	RUN(bytes_go_both_ways);
	RUN(the_node_is_heard_while_it_takes_nothing);
	RUN(a_node_may_start_later);
	RUN(a_node_that_never_starts_is_an_error);
	RUN(a_login_that_closes_the_connection_gets_no_message);
	rmdir(dir);
	return test_done();
}
