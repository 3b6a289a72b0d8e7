/*
 * An agent whose memory or descriptors run out says so, or ends. It never waits
 * for ever, leaves no directory behind, and never reports that a step has
 * succeeded which has not.
 */

#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "agent_frame.h"
#include "nomem.h"

enum {
	PIECE = 50000,	   /* bytes of a frame */
	BYTES = 6 * PIECE, /* of a stream: more than a pipe holds */
	/*
	 * bytes of an output that the connection, the agent's queue and a pipe
	 * hold together, but not two of them
	 */
	HELD = 700000
};

/* Counted by the agent, which is another process. */
struct counted {
	size_t made, left;
};

static struct counted *counted;

/* What the kernel lacks fails like an allocation. */
int
epoll_ctl(int epoll, int op, int fd, struct epoll_event *event)
{
	if (op != EPOLL_CTL_DEL && nomem_fails()) {
		errno = ENOSPC;
		return -1;
	}
	return (int)syscall(SYS_epoll_ctl, epoll, op, fd, event);
}

int
pipe2(int fd[2], int flags)
{
	if (nomem_fails()) {
		errno = EMFILE;
		return -1;
	}
	return (int)syscall(SYS_pipe2, fd, flags);
}

/* Starts an agent whose Nth allocation fails; 0: none. */
static void
begin(struct talk *t, size_t n)
{
	int pair[2];

	*t = (struct talk){ 0 };
	snprintf(
	    t->dir, sizeof t->dir, "/tmp/hp.nomem.%d.%zu", (int)getpid(), n);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == -1)
		abort();
	fflush(NULL);
	t->pid = fork();
	if (t->pid == 0) {
		struct agent_config c = { .in = pair[1],
			.out = pair[1],
			.stdin_fd = -1,
			.stdout_fd = STDERR_FILENO,
			.local = true };
		struct hp_err e = { 0 };
		int rc;

		close(pair[0]);
		nomem.made = nomem.nlive = 0;
		nomem.fails = n;
		nomem.on = true;
		rc = agent_serve(&c, &e);
		nomem.on = false;
		*counted = (struct counted){ nomem.made, nomem.nlive };
		_exit(rc == 0 ? 0 : e.text[0] != '\0' ? 2 : 3);
	}
	close(pair[1]);
	t->fd = pair[0];
	wire_init(&t->wire, WIRE_LAUNCHER, t->fd, t->fd, "agent", &t->e);
}

/* Returns the next message, or -1 if the agent has ended. */
static int
hear(struct talk *t, size_t n)
{
	double begun_s = clock_now_s();
	int type = talk_hear(t);

	if (type == -1 && clock_now_s() - begun_s > PATIENCE_S / 2)
		test_bad(__FILE__, __LINE__, "allocation %zu: no answer", n);
	return type;
}

static void
send_open(struct talk *t)
{
	char none[] = "";
	struct message_node node = {
		.dir = t->dir, .input = none, .leave = none, .beside = none
	};
	struct message m = { .type = MESSAGE_OPEN,
		.node = &node,
		.nnodes = 1,
		.progress = true,
		.timeout_s = 30 };

	wire_send(&t->wire, &m, &t->e);
	talk_flush(t);
}

/* A step with an action of each kind. */
static void
send_step(struct talk *t, const char *bytes)
{
	struct message_action x[] = { { .kind = TEXT("put"),
					  .node = TEXT("file"),
					  .in_kind = TEXT("stream"),
					  .in_stream = 1,
					  .bytes = MESSAGE_TO_END },
		act_sh("cat"), act_sh("cat file; echo said >&2"),
		{ .kind = TEXT("size"), .node = TEXT("file") },
		{ .kind = TEXT("rename"),
		    .words = WORDS(TEXT("file"), TEXT("other")) },
		{ .kind = TEXT("fifo"), .words = WORDS(TEXT("p")) },
		{ .kind = TEXT("get"),
		    .node = TEXT("other"),
		    .out_kind = TEXT("stream"),
		    .out_stream = 3,
		    .bytes = MESSAGE_TO_END },
		{ .kind = TEXT("skip"),
		    .words = WORDS(TEXT("other"), TEXT("p")) },
		{ .kind = TEXT("remove"), .words = WORDS(TEXT("other")) } };
	struct message m = { .type = MESSAGE_START,
		.id = ++t->id,
		.action = x,
		.nactions = sizeof x / sizeof *x };

	x[1].in_kind = x[1].out_kind = x[2].out_kind = TEXT("stream");
	x[1].in_stream = 2;
	x[1].out_stream = 1;
	x[2].out_stream = 2;
	wire_send(&t->wire, &m, &t->e);
	for (uint32_t stream = 2; stream > 0; stream--) {
		for (size_t i = 0; i < BYTES; i += PIECE)
			wire_data(&t->wire, stream, bytes + i, PIECE, &t->e);
		wire_data(&t->wire, stream, NULL, 0, &t->e);
	}
	talk_flush(t);
}

/* Opens a node and runs a step. Returns whether all of it succeeded. */
static bool
talk(struct talk *t, const char *bytes, size_t n)
{
	if (hear(t, n) != MESSAGE_HELLO)
		return false;
	send_open(t);
	if (hear(t, n) != MESSAGE_OPENED)
		return false;
	send_step(t, bytes);
	if (hear(t, n) != MESSAGE_ENDED)
		return false;
	if (t->last.code != 0 || t->last.signal != 0) {
		if (t->said_len == 0)
			test_bad(__FILE__, __LINE__,
			    "allocation %zu: fails without a word", n);
		return false;
	}
	if (t->said == NULL || strcmp(t->said, "said\n") != 0 ||
	    t->last.nsizes != 1 || t->last.size[0] != BYTES ||
	    t->streams_ended != 3 || t->got_len != 3 * BYTES ||
	    memcmp(t->got, bytes, BYTES) != 0 ||
	    memcmp(t->got + BYTES, bytes, BYTES) != 0 ||
	    memcmp(t->got + 2 * BYTES, bytes, BYTES) != 0)
		test_bad(__FILE__, __LINE__,
		    "allocation %zu: a part of the answer is missing", n);
	return true;
}

static void
end(struct talk *t, bool succeeded, size_t n)
{
	struct message m = { .type = MESSAGE_END };
	int status = -1;

	wire_send(&t->wire, &m, &t->e);
	talk_flush(t);
	while (hear(t, n) != -1)
		;
	kill(t->pid, SIGKILL);
	CHECK_EQ_I64(waitpid(t->pid, &status, 0), t->pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) == 3)
		test_bad(
		    __FILE__, __LINE__, "allocation %zu: status %d", n, status);
	if (n > 0 && !succeeded)
		CHECK(counted->made >= n);
	if (counted->left > 0)
		test_bad(__FILE__, __LINE__, "allocation %zu: %zu left", n,
		    counted->left);
	if (exists(t->dir))
		test_bad(__FILE__, __LINE__, "allocation %zu: %s is left", n,
		    t->dir);
	message_fini(&t->last);
	wire_fini(&t->wire);
	close(t->fd);
	free(t->said);
	free(t->got);
}

/*
 * Runs a command that ends while the launcher does not read, so that a part of
 * its output is still in its pipes. Returns whether all of it succeeded.
 */
static bool
talk_late(struct talk *t, const char *bytes, size_t n)
{
	struct message_action x = act_sh(
	    "head -c 700000 /dev/zero; head -c 50000 /dev/zero >&2;"
	    "echo $$ >pid");
	struct message m = { .type = MESSAGE_START,
		.id = ++t->id,
		.action = &x,
		.nactions = 1 };
	char path[128], pid[32] = "";
	double until_s;
	int fd;

	(void)bytes;
	if (hear(t, n) != MESSAGE_HELLO)
		return false;
	send_open(t);
	if (hear(t, n) != MESSAGE_OPENED)
		return false;
	x.out_kind = TEXT("stream");
	x.out_stream = 1;
	wire_send(&t->wire, &m, &t->e);
	talk_flush(t);
	snprintf(path, sizeof path, "%s/pid", t->dir);
	for (until_s = clock_now_s() + PATIENCE_S / 2;
	     clock_now_s() < until_s && exists(t->dir);) {
		fd = open(path, O_RDONLY);
		if (fd != -1 && read(fd, pid, sizeof pid - 1) > 0 &&
		    kill(atoi(pid), 0) == -1)
			until_s = 0;
		if (fd != -1)
			close(fd);
		usleep(1000);
	}
	if (hear(t, n) != MESSAGE_ENDED || t->last.code != 0 ||
	    t->last.signal != 0)
		return false;
	if (t->streams_ended != 1 || t->got_len != HELD)
		test_bad(__FILE__, __LINE__,
		    "allocation %zu: %zu bytes of the output", n, t->got_len);
	return true;
}

static void
each_allocation_fails(bool (*talks)(struct talk *, const char *, size_t))
{
	static char bytes[BYTES];
	size_t all = 1, failed = 0;

	for (size_t i = 0; i < BYTES; i++)
		bytes[i] = (char)test_random();
	for (size_t n = 0; n <= all && test.bad == 0; n++) {
		struct talk t;
		bool succeeded;

		*counted = (struct counted){ 0 };
		begin(&t, n);
		succeeded = talks(&t, bytes, n);
		end(&t, succeeded, n);
		failed += !succeeded;
		if (n == 0) {
			CHECK(succeeded);
			all = counted->made;
		}
	}
	printf("# %zu allocations, %zu of them needed\n", all, failed);
	CHECK(failed > 0);
}

static void
an_agent_without_memory_ends(void)
{
	each_allocation_fails(talk);
}

static void
an_output_is_never_cut(void)
{
	each_allocation_fails(talk_late);
}

int
main(void)
{
	counted = mmap(NULL, sizeof *counted, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counted == MAP_FAILED)
		return 2;
	talk_find_programs();
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	RUN(an_agent_without_memory_ends);
	RUN(an_output_is_never_cut);
	return test_done();
}
