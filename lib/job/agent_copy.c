#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "job/agent_copy.h"
#include "job/agent_run.h"
#include "job/agent_spool.h"

enum {
	TROUBLE = 2,
	/*
	 * maximum number of bytes that the agent copies itself; a child process
	 * makes larger copies
	 */
	INLINE_MOST = 1 << 20,
	BLOCK = 1 << 18
};

/* A copy from one file of this machine to another. */
struct copy {
	int dirfd;
	const char *from, *to;	/* absolute or relative to dirfd */
	int to_fd;		/* target if `to` is NULL */
	uint64_t offset, bytes; /* MESSAGE_TO_END: up to the end */
	uint64_t at;
	bool append, fresh; /* fresh: remove `to` first */
};

static int
cannot(const char *name, struct hp_err *e)
{
	return hp_fail_errno(e, HP_IO, "%.900s", name);
}

/* Copies through memory, for example between file systems or to a pipe. */
static int
copy_blocks(const struct copy *c, int from, int to, bool seeks, uint64_t at,
    uint64_t offset, uint64_t left, struct hp_err *e)
{
	const char *name = c->to == NULL ? "standard output" : c->to;
	char *buf = malloc(BLOCK);
	ssize_t n = 1;
	int rc = 0;

	if (buf == NULL)
		return hp_fail(e, HP_NOMEM, "%.900s", name);
	while (rc == 0 && left > 0) {
		n = io_pread(from, buf, left < BLOCK ? (size_t)left : BLOCK,
		    (off_t)offset);
		if (n <= 0)
			break;
		if ((seeks ? io_pwrite(to, buf, (size_t)n, (off_t)at)
			   : io_write(to, buf, (size_t)n)) == -1)
			rc = cannot(name, e);
		offset += (uint64_t)n;
		at += (uint64_t)n;
		left -= (uint64_t)n;
	}
	free(buf);
	if (rc == 0 && n == -1)
		rc = cannot(c->from, e);
	if (rc == 0 && left > 0 && c->bytes != MESSAGE_TO_END)
		rc = hp_fail(e, HP_IO, "%.900s: is too short", c->from);
	return rc;
}

static int
copy_bytes(const struct copy *c, int from, int to, struct hp_err *e)
{
	uint64_t left = c->bytes, offset = c->offset, at = c->at;
	struct stat st;
	bool seeks = fstat(to, &st) == 0 && S_ISREG(st.st_mode) &&
	    c->to != NULL;
	ssize_t n = 1;

	if (seeks && c->append)
		at = (uint64_t)st.st_size;
	while (seeks && left > 0 && n > 0) {
		off_t in = (off_t)offset, out = (off_t)at;

		n = copy_file_range(from, &in, to, &out,
		    left < SSIZE_MAX ? (size_t)left : SSIZE_MAX, 0);
		if (n <= 0)
			break;
		offset += (uint64_t)n;
		at += (uint64_t)n;
		left -= (uint64_t)n;
	}
	/*
	 * copy_file_range may stop early or be unsupported, so copy the rest in
	 * blocks.
	 */
	return copy_blocks(c, from, to, seeks, at, offset, left, e);
}

static int
copy_file(const struct copy *c, struct hp_err *e)
{
	int from = openat(c->dirfd, c->from, O_RDONLY | O_CLOEXEC), to, rc;
	bool whole = c->at == 0 && c->bytes == MESSAGE_TO_END && !c->append;

	if (from == -1)
		return cannot(c->from, e);
	if (c->fresh && unlinkat(c->dirfd, c->to, 0) == -1 && errno != ENOENT)
		to = -1;
	else
		to = c->to == NULL ? c->to_fd
				   : openat(c->dirfd, c->to,
					 O_WRONLY | O_CREAT | O_NOFOLLOW |
					     O_CLOEXEC | (whole ? O_TRUNC : 0),
					 0600);
	if (to == -1) {
		if (c->to == NULL)
			errno = EBADF;
		rc = cannot(c->to == NULL ? "standard output" : c->to, e);
	} else
		rc = copy_bytes(c, from, to, e);
	close(from);
	if (to != -1 && c->to != NULL && close(to) == -1 && rc == 0)
		rc = cannot(c->to, e);
	return rc;
}

static int
copy_in_child(void *context)
{
	struct hp_err e = { 0 };

	if (copy_file(context, &e) == 0)
		return 0;
	dprintf(STDERR_FILENO, "%s%s%s\n", e.text, e.errnum != 0 ? ": " : "",
	    e.errnum != 0 ? strerror(e.errnum) : "");
	return TROUBLE;
}

/*
 * Returns whether the copy is so short that the agent itself makes it. A longer
 * copy would keep the agent from other work.
 */
static bool
is_small(const struct copy *c)
{
	struct stat from, to;
	uint64_t bytes;

	if (c->to == NULL || fstatat(c->dirfd, c->from, &from, 0) == -1 ||
	    !S_ISREG(from.st_mode) ||
	    (fstatat(c->dirfd, c->to, &to, AT_SYMLINK_NOFOLLOW) == 0 &&
		!S_ISREG(to.st_mode)))
		return false;
	bytes = (uint64_t)from.st_size;
	return (c->bytes < bytes ? c->bytes : bytes) <= INLINE_MOST;
}

static enum action_state
copy_begin(
    struct agent *a, struct agent_step *s, struct copy *c, struct hp_err *why)
{
	c->dirfd = s->dirfd;
	if (is_small(c))
		return copy_file(c, why) == 0 ? ACTION_DONE : ACTION_FAILED;
	if (child_call(&s->child, s->dir, copy_in_child, c, why) == -1 ||
	    run_watch(a, s, why) == -1)
		return ACTION_FAILED;
	return ACTION_WAITS;
}

enum action_state
copy_put(struct agent *a, struct agent_step *s, struct hp_err *why)
{
	const struct message_action *x = &s->m.action[s->at];
	struct agent_spool *spool = spool_of(s, s->at);
	struct copy c = { .from = x->in,
		.to = x->node,
		.offset = x->offset,
		.bytes = x->bytes,
		.fresh = true };
	enum action_state state;

	if (spool == NULL)
		return copy_begin(a, s, &c, why);
	state = spool_state(spool, x->node, why);
	if (state != ACTION_DONE)
		return state;
	if (renameat(s->dirfd, spool->name, s->dirfd, x->node) == -1) {
		cannot(x->node, why);
		return ACTION_FAILED;
	}
	free(spool->name);
	spool->name = NULL;
	return ACTION_DONE;
}

/* Opens a file of the node to send it as a stream. */
static enum action_state
stream_begin(struct agent_step *s, struct hp_err *why)
{
	const struct message_action *x = &s->m.action[s->at];
	struct stat st;

	s->source = openat(
	    s->dirfd, x->node, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (s->source == -1 || fstat(s->source, &st) == -1) {
		cannot(x->node, why);
		return ACTION_FAILED;
	}
	if (!S_ISREG(st.st_mode)) {
		hp_fail(why, HP_IO, "%.900s: Not a regular file", x->node);
		return ACTION_FAILED;
	}
	s->offset = x->offset;
	s->left = x->bytes;
	return ACTION_WAITS;
}

enum action_state
copy_get(struct agent *a, struct agent_step *s, struct hp_err *why)
{
	const struct message_action *x = &s->m.action[s->at];
	struct copy c = { .from = x->node,
		.to = x->out,
		.offset = x->offset,
		.bytes = x->bytes,
		.at = x->at,
		.append = x->append };

	if (x->out_stream > 0)
		return stream_begin(s, why);
	if (strcmp(x->out_kind, "standard") == 0) {
		c.to = NULL;
		c.to_fd = a->c->stdout_fd;
	}
	return copy_begin(a, s, &c, why);
}

enum action_state
copy_pump(struct agent *a, struct agent_step *s, struct hp_err *why)
{
	const struct message_action *x = &s->m.action[s->at];
	size_t ask = s->left < WIRE_CHUNK ? (size_t)s->left : WIRE_CHUNK;
	unsigned char *room = wire_room(&a->wire, ask, why);
	ssize_t n;

	if (room == NULL)
		return ACTION_BROKE;
	n = io_pread(s->source, room, ask, (off_t)s->offset);
	if (n == -1) {
		cannot(x->node, why);
		return ACTION_FAILED;
	}
	if (n == 0 && s->left > 0 && x->bytes != MESSAGE_TO_END) {
		hp_fail(why, HP_IO, "%.900s: is too short", x->node);
		return ACTION_FAILED;
	}
	wire_filled(&a->wire, (uint32_t)x->out_stream, (size_t)n);
	s->offset += (uint64_t)n;
	s->left -= (uint64_t)n;
	s->wrote += (uint64_t)n;
	if (n > 0)
		return ACTION_WAITS;
	close(s->source);
	s->source = -1;
	return ACTION_DONE;
}
