#ifndef HP_AGENT_FRAME_H
#define HP_AGENT_FRAME_H

/*
 * Helpers for tests of the agent: start an agent, send it messages and receive
 * its answers. Every wait ends after some seconds.
 */

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>

#include "base/clock.h"
#include "job/agent.h"
#include "job/sweep.h"
#include "job/wire.h"
#include "test.h"

#define PATIENCE_S 20.0

/* Steps run programs of hptools: their streams are sockets. */
static bool talk_own;

struct talk {
	pid_t pid; /* process id of the agent, or of its guard */
	struct wire wire;
	int fd;
	bool guarded;
	/* directory of the first node; other nodes append their rank */
	char dir[64];
	uint64_t id;
	uint32_t stream;
	char *said; /* lines of `said` messages, each with its newline */
	size_t said_len, said_size;
	char *got; /* data received on streams */
	size_t got_len, got_size, streams_ended;
	uint64_t credit;     /* bytes of `credit` messages of the step */
	struct message last; /* the last message except beat, said and wrote */
	struct hp_err e;
};

/*
 * Puts the directory of the programs into PATH, because an agent looks for
 * them.
 */
static inline void
talk_find_programs(void)
{
	const char *bin = getenv("HPBIN"), *path = getenv("PATH");
	char *absolute = realpath(bin == NULL ? "build/bin" : bin, NULL);
	char all[8192];

	if (absolute == NULL)
		return;
	snprintf(all, sizeof all, "%s:%s", absolute, path);
	setenv("PATH", all, 1);
	free(absolute);
}

static int
talk_serve(struct guard *g, void *context)
{
	struct agent_config *c = context;
	struct hp_err e = { 0 };

	c->guard = g;
	if (agent_serve(c, &e) == 0)
		return 0;
	fprintf(stderr, "# agent: %s\n", e.text);
	return 2;
}

/*
 * Starts an agent.  If `guarded`, it has a guard, like an agent on a host;
 * otherwise it is like the agent on the launcher's machine.
 */
static inline void
talk_begin(struct talk *t, bool guarded)
{
	static int number;
	int pair[2];

	*t = (struct talk){ .guarded = guarded };
	snprintf(t->dir, sizeof t->dir, "/tmp/hp.agent.%d.%d", (int)getpid(),
	    number++);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == -1)
		abort();
	fflush(NULL);
	t->pid = fork();
	if (t->pid == 0) {
		struct agent_config c = { .in = pair[1],
			.out = pair[1],
			.stdin_fd = -1,
			.stdout_fd = STDERR_FILENO,
			.local = !guarded };

		close(pair[0]);
		_exit(
		    guarded ? guard_run(talk_serve, &c) : talk_serve(NULL, &c));
	}
	close(pair[1]);
	t->fd = pair[0];
	wire_init(&t->wire, WIRE_LAUNCHER, t->fd, t->fd, "agent", &t->e);
}

static inline void
talk_flush(struct talk *t)
{
	struct pollfd p = { .fd = t->fd, .events = POLLOUT };

	while (wire_flush(&t->wire, &t->e) == 0 && wire_queued(&t->wire) > 0)
		poll(&p, 1, 1000);
}

static inline void
talk_note(struct talk *t, struct wire_event *event)
{
	struct message *m = &event->message;
	char **to = event->kind == WIRE_BYTES ? &t->got : &t->said;
	size_t *len = event->kind == WIRE_BYTES ? &t->got_len : &t->said_len;
	size_t *size = event->kind == WIRE_BYTES ? &t->got_size : &t->said_size;
	const void *bytes = event->bytes;
	size_t n = event->len;

	if (event->kind == WIRE_BYTES)
		t->streams_ended += n == 0;
	else {
		bytes = m->text;
		n = strlen(m->text);
	}
	/*
	 * With a sanitizer, each realloc copies the whole buffer.  So double
	 * its size instead of adding each piece.
	 */
	if (*size < *len + n + 2) {
		*size = 2 * (*len + n + 2);
		*to = realloc(*to, *size);
	}
	memcpy(*to + *len, bytes, n);
	*len += n;
	if (event->kind == WIRE_MESSAGE)
		(*to)[(*len)++] = '\n';
	(*to)[*len] = '\0';
}

/*
 * Returns the type of the agent's next message.  Skips beats; collects data,
 * lines and counts of bytes written.  Returns -1 if the connection has ended,
 * or if the agent sends nothing but beats for PATIENCE_S seconds.
 */
static inline int
talk_hear(struct talk *t)
{
	double until_s = clock_now_s() + PATIENCE_S;
	struct pollfd p = { .fd = t->fd, .events = POLLIN };
	struct wire_event event;
	int rc;

	message_fini(&t->last);
	for (;;) {
		while ((rc = wire_next(&t->wire, &event, &t->e)) == 1) {
			if (event.kind == WIRE_BYTES ||
			    event.message.type == MESSAGE_SAID) {
				talk_note(t, &event);
				until_s = clock_now_s() + PATIENCE_S;
			} else if (event.message.type == MESSAGE_CREDIT) {
				t->credit += event.message.bytes;
			} else if (event.message.type != MESSAGE_BEAT &&
			    event.message.type != MESSAGE_WROTE) {
				t->last = event.message;
				return (int)t->last.type;
			}
			if (event.kind == WIRE_MESSAGE)
				message_fini(&event.message);
		}
		if (rc == -1 || clock_now_s() > until_s)
			return -1;
		if (!wire_ahead(&t->wire))
			poll(&p, 1, 1000);
		if (wire_read(&t->wire, &t->e) == -1)
			return -1;
	}
}

/* Ends the agent.  Checks that the agent exits and leaves no files behind. */
static inline void
talk_end(struct talk *t, bool drop)
{
	struct message m = { .type = MESSAGE_END, .drop = drop };
	int status = -1;

	wire_send(&t->wire, &m, &t->e);
	talk_flush(t);
	while (talk_hear(t) != -1)
		;
	message_fini(&t->last);
	CHECK_EQ_I64(waitpid(t->pid, &status, 0), t->pid);
	CHECK_EQ_I64(status, 0);
	wire_fini(&t->wire);
	close(t->fd);
	free(t->said);
	free(t->got);
}

static inline void
talk_send(struct talk *t, struct message *m)
{
	CHECK_EQ_I64(wire_send(&t->wire, m, &t->e), 0);
	talk_flush(t);
}

/* Opens one node, of rank 0, and receives hello and opened. */
static inline void
talk_open(struct talk *t, bool keep, bool again, double timeout_s)
{
	char none[] = "";
	struct message_node n = { .rank = 0,
		.dir = t->dir,
		.input = none,
		.leave = none,
		.beside = none };
	struct message m = { .type = MESSAGE_OPEN,
		.node = &n,
		.nnodes = 1,
		.keep = keep,
		.again = again,
		.timeout_s = timeout_s };

	CHECK_EQ_I64(talk_hear(t), MESSAGE_HELLO);
	talk_send(t, &m);
	CHECK_EQ_I64(talk_hear(t), MESSAGE_OPENED);
}

#define WORDS(...)                \
	(char *[])                \
	{                         \
		__VA_ARGS__, NULL \
	}
#define TEXT(s) ((char *)(uintptr_t)(s))

/* Returns an action that runs a shell command without input. */
static inline struct message_action
act_sh(const char *script)
{
	static char *words[64][4];
	static int n;
	char **w = words[n++ % 64];

	w[0] = TEXT("sh");
	w[1] = TEXT("-c");
	w[2] = TEXT(script);
	return (struct message_action){ .kind = TEXT("run"),
		.words = w,
		.in_kind = TEXT("none"),
		.out_kind = TEXT("none"),
		.bytes = MESSAGE_TO_END };
}

static inline void
talk_start(struct talk *t, struct message_action *x, size_t n)
{
	struct message m = { .type = MESSAGE_START,
		.id = ++t->id,
		.rank = 0,
		.own = talk_own,
		.action = x,
		.nactions = n };

	free(t->said);
	t->said = calloc(1, t->said_size = 1);
	t->said_len = 0;
	free(t->got);
	t->got = calloc(1, t->got_size = 1);
	t->got_len = t->streams_ended = 0;
	t->credit = 0;
	talk_send(t, &m);
}

/* Runs a step to its end. Returns its exit code, or 1000 plus its signal. */
static inline int
talk_run(struct talk *t, struct message_action *x, size_t n)
{
	talk_start(t, x, n);
	if (talk_hear(t) != MESSAGE_ENDED || t->last.id != t->id)
		return -1;
	return t->last.signal != 0 ? 1000 + (int)t->last.signal
				   : (int)t->last.code;
}

static inline int
talk_sh(struct talk *t, const char *script)
{
	struct message_action x = act_sh(script);

	return talk_run(t, &x, 1);
}

static inline bool
exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* Waits until the path exists or, if not `there`, until it does not exist. */
static inline bool
comes_to_be(const char *path, bool there)
{
	double until_s = clock_now_s() + PATIENCE_S;

	while (exists(path) != there && clock_now_s() < until_s)
		usleep(2000);
	return exists(path) == there;
}

#endif
