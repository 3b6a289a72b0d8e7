#include <sys/wait.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/agent_feed.h"
#include "job/agent_io.h"
#include "job/agent_run.h"
#include "job/agent_said.h"
#include "job/agent_wrote.h"

enum {
	/*
	 * Maximum number of reads after a command has ended. There is a limit,
	 * because a descendant of the command may still write. The reads
	 * suffice to empty a full socket: the kernel doubles the requested
	 * buffer size, and one write may exceed the buffer by half of the
	 * doubled size.
	 */
	READS = 4 * CHILD_OUT_BYTES / WIRE_CHUNK,
	/*
	 * maximum number of reads in one turn of the event loop, so that one
	 * step does not delay the others
	 */
	PASSES = 16
};

static bool
is(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static struct child_port
port_of(const char *kind, const char *file, int standard, bool own)
{
	if (is(kind, "node") || is(kind, "path"))
		return (struct child_port){
			.kind = CHILD_FILE, .file = file, .nofollow = true
		};
	if (is(kind, "standard"))
		return (struct child_port){ .kind = CHILD_FD, .fd = standard };
	if (is(kind, "stream"))
		return (struct child_port){ .kind = own ? CHILD_SOCKET
							: CHILD_PIPE };
	return (struct child_port){ .kind = CHILD_NONE };
}

int
run_watch(struct agent *a, struct agent_step *s, struct hp_err *e)
{
	s->ended.fd = s->child.pidfd;
	s->said.fd = s->child.err;
	s->put.fd = s->child.out;
	if (agent_watch(a, &s->ended, e) == -1)
		return -1;
	if (a->full)
		return 0;
	return agent_watch(a, &s->said, e) == -1 ? -1
						 : agent_watch(a, &s->put, e);
}

enum action_state
run_begin(struct agent *a, struct agent_step *s, struct hp_err *why)
{
	const struct message_action *x = &s->m.action[s->at];
	struct child_port in = port_of(
	    x->in_kind, x->in, a->c->stdin_fd, s->m.own);
	struct child_port out = port_of(
	    x->out_kind, x->out, a->c->stdout_fd, s->m.own);

	out.append = x->append;
	in.nofollow = false;
	if (child_start(&s->child, s->dir, x->words, &in, &out, why) == -1 ||
	    run_watch(a, s, why) == -1 || feed_begin(a, s, why) == -1)
		return ACTION_FAILED;
	return ACTION_WAITS;
}

/*
 * Sends data from the command's pipe to the launcher. Returns 1 if it read
 * data, 0 if the pipe is empty, and -1 at the end of file.
 */
static int
pass(struct agent *a, struct agent_step *s, int *rc, struct hp_err *e)
{
	unsigned char *room = wire_room(&a->wire, WIRE_CHUNK, e);
	ssize_t n;

	*rc = room == NULL ? -1 : 0;
	if (room == NULL)
		return 0;
	n = read(s->child.out, room, WIRE_CHUNK);
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0)
		return -1;
	wire_filled(
	    &a->wire, (uint32_t)s->m.action[s->at].out_stream, (size_t)n);
	return 1;
}

int
run_put(struct agent *a, struct agent_step *s, struct hp_err *e)
{
	int rc, got = 1;

	/*
	 * Send the bytes of each read while they are in the processor's cache.
	 */
	for (int i = 0; i < PASSES && got == 1 && !a->full; i++) {
		got = pass(a, s, &rc, e);
		if (rc == -1 || agent_flush(a, e) == -1)
			return -1;
	}
	/* The command has closed its standard output, but it may end later. */
	if (got == -1)
		agent_unwatch(a, &s->put);
	return 0;
}

/* Sends the rest of the command's output and ends the stream. */
static int
finish_stream(struct agent *a, struct agent_step *s, struct hp_err *e)
{
	int rc, got = 1;

	if (s->child.out == -1)
		return 0;
	for (int i = 0; i < READS && got == 1; i++) {
		got = pass(a, s, &rc, e);
		if (rc == -1)
			return -1;
	}
	agent_unwatch(a, &s->put);
	close(s->child.out);
	s->child.out = s->put.fd = -1;
	return wire_data(
	    &a->wire, (uint32_t)s->m.action[s->at].out_stream, NULL, 0, e);
}

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

enum action_state
run_ended(struct agent *a, struct agent_step *s, struct hp_err *why)
{
	uint64_t wrote = a->progress ? wrote_by(s->child.pid) : 0;
	struct rusage usage;
	int status;

	agent_unwatch(a, &s->ended);
	if (!child_ended(&s->child, &status, &usage))
		return agent_watch(a, &s->ended, why) == -1 ? ACTION_BROKE
							    : ACTION_WAITS;
	s->ended.fd = -1;
	feed_end(a, s);
	s->wrote += wrote;
	s->user_s += seconds(usage.ru_utime);
	s->system_s += seconds(usage.ru_stime);
	if (said_end(a, s, why) == -1 || finish_stream(a, s, why) == -1)
		return ACTION_BROKE;
	s->code = WIFEXITED(status) ? (uint64_t)WEXITSTATUS(status) : 0;
	s->signal = WIFSIGNALED(status) ? (uint64_t)WTERMSIG(status) : 0;
	return status == 0 ? ACTION_DONE : ACTION_ENDED;
}
