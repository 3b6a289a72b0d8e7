#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "run/filter.h"

enum {
	CHUNK = 1 << 16
};

/*
 * Its input is a socket, so that a program that ends too early is an error of
 * one send and not a signal to the process.
 */
struct filter {
	const char *program;
	pid_t pid; /* -1 after its end */
	int in;	   /* our end of its input */
	int out;   /* where it writes to */

	bool feeds; /* a thread gives it part of a file: */
	pthread_t feeder;
	int fd;
	off_t at;
	uint64_t left;
};

static int
send_all(int fd, const char *s, size_t n)
{
	ssize_t r;

	for (; n > 0; s += r, n -= (size_t)r) {
		do
			r = send(fd, s, n, MSG_NOSIGNAL);
		while (r == -1 && errno == EINTR);
		if (r == -1)
			return -1;
	}
	return 0;
}

static int
spawn(struct filter *f, char *const argv[], int in, int out)
{
	posix_spawn_file_actions_t actions;
	extern char **environ;
	int rc;

	if ((rc = posix_spawn_file_actions_init(&actions)) != 0)
		return rc;
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	rc = posix_spawnp(&f->pid, f->program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return rc;
}

/* The program with its output to `out`. */
static struct filter *
start(const char *program, const char *option, int out, struct hp_err *e)
{
	char *name = strdup(program),
	     *opt = option == NULL ? NULL : strdup(option);
	struct filter *f = calloc(1, sizeof *f);
	int pair[2] = { -1, -1 }, rc = ENOMEM;

	if (f != NULL && name != NULL && (option == NULL || opt != NULL)) {
		*f = (struct filter){ .program = program, .in = -1, .out = -1 };
		rc = 0;
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) ==
		    -1)
			rc = errno;
	}
	if (rc == 0) {
		rc = spawn(f, (char *[]){ name, opt, NULL }, pair[1], out);
		close(pair[1]);
		f->in = pair[0];
	}
	free(name);
	free(opt);
	if (rc == 0)
		return f;
	if (pair[0] != -1)
		close(pair[0]);
	free(f);
	errno = rc;
	hp_fail_errno(e, HP_IO, "compression program %s", program);
	return NULL;
}

static int
wait_for(struct filter *f)
{
	int status;

	while (waitpid(f->pid, &status, 0) == -1)
		if (errno != EINTR)
			return -1;
	f->pid = -1;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

struct filter *
filter_pack(const char *program, int fd, off_t at, struct hp_err *e)
{
	struct filter *f;
	char path[64];
	int out;

	/* With an offset of its own. */
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	out = open(path, O_WRONLY | O_CLOEXEC);
	if (out == -1 || lseek(out, at, SEEK_SET) == -1) {
		hp_fail_errno(e, HP_IO, "temporary file");
		io_close(out);
		return NULL;
	}
	if ((f = start(program, NULL, out, e)) == NULL)
		close(out);
	else
		f->out = out;
	return f;
}

int
filter_write(struct filter *f, const void *s, size_t n, struct hp_err *e)
{
	if (send_all(f->in, s, n) == 0)
		return 0;
	return hp_fail_errno(e, HP_IO, "compression program %s", f->program);
}

off_t
filter_end(struct filter *f, struct hp_err *e)
{
	off_t end;
	int rc;

	close(f->in);
	rc = wait_for(f);
	end = lseek(f->out, 0, SEEK_CUR);
	if (rc == -1)
		hp_fail(e, HP_IO, "compression program %s failed", f->program);
	else if (end == -1)
		rc = hp_fail_errno(e, HP_IO, "temporary file");
	close(f->out);
	free(f);
	return rc == -1 ? -1 : end;
}

static void *
feed(void *arg)
{
	struct filter *f = arg;
	char *buf = malloc(CHUNK);
	size_t n;
	ssize_t got;

	for (; buf != NULL && f->left > 0; f->left -= (uint64_t)got) {
		n = f->left < CHUNK ? (size_t)f->left : CHUNK;
		got = io_pread(f->fd, buf, n, f->at);
		if (got <= 0 || send_all(f->in, buf, (size_t)got) == -1)
			break;
		f->at += got;
	}
	free(buf);
	shutdown(f->in, SHUT_WR);
	return NULL;
}

struct filter *
filter_unpack(const char *program, int fd, off_t at, uint64_t n, int *out,
    struct hp_err *e)
{
	struct filter *f;
	int ends[2], rc;

	if (pipe2(ends, O_CLOEXEC) == -1) {
		hp_fail_errno(e, HP_IO, "compression program %s", program);
		return NULL;
	}
	f = start(program, "-d", ends[1], e);
	close(ends[1]);
	if (f == NULL) {
		close(ends[0]);
		return NULL;
	}
	f->fd = fd;
	f->at = at;
	f->left = n;
	f->out = *out = ends[0];
	if ((rc = pthread_create(&f->feeder, NULL, feed, f)) == 0) {
		f->feeds = true;
		return f;
	}
	filter_stop(f);
	errno = rc;
	hp_fail_errno(e, HP_NOMEM, "threads");
	return NULL;
}

bool
filter_is_done(struct filter *f)
{
	ssize_t got;
	char more;

	do
		got = read(f->out, &more, 1);
	while (got == -1 && errno == EINTR);
	return got == 0 && wait_for(f) == 0;
}

/* What it still wanted to write or read is nobody's concern. */
void
filter_stop(struct filter *f)
{
	if (f == NULL)
		return;
	if (f->pid != -1)
		kill(f->pid, SIGTERM);
	close(f->out);
	if (f->feeds)
		pthread_join(f->feeder, NULL);
	close(f->in);
	if (f->pid != -1)
		wait_for(f);
	free(f);
}
