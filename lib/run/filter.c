#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "run/filter.h"

enum {
	/*
	 * Stack size of a thread in bytes; small, because address space may be
	 * limited.
	 */
	STACK = 1 << 17,
	GIVEN = 1 << 16, /* bytes per write to the program */
	/*
	 * bytes per read from the program; each read becomes one block of the
	 * temporary file
	 */
	TAKEN = 1 << 18
};

/*
 * A running program. Its standard input is a socket: if the program exits
 * early, send fails with EPIPE and no SIGPIPE is raised.
 */
struct filter {
	const char *program;
	pid_t pid; /* process id; -1 after waitpid */
	int in;	   /* we write its input here */
	int out;   /* we read its output here */

	/* a thread was started, which reads or writes the temporary file */
	bool works;
	pthread_t thread;
	int rc; /* the thread's result, 0 or -1 */
	struct hp_err e;
	struct store *store;
	struct tape *to;
	/*
	 * Copy of the struct that describes the temporary file to read. The
	 * original is in a struct run, which may move while the thread runs.
	 */
	struct tape from;
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

/* Starts the program with a socket as input and a pipe as output. */
static int
connect_to(struct filter *f, char *const argv[])
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, rc;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == -1)
		return errno;
	rc = pipe2(out, O_CLOEXEC) == -1 ? errno
					 : spawn(f, argv, in[1], out[1]);
	close(in[1]);
	io_close(out[1]);
	f->in = in[0];
	f->out = out[0];
	if (rc != 0) {
		close(f->in);
		io_close(f->out);
	}
	return rc;
}

static struct filter *
start(struct store *s, const char *option, void *(*work)(void *),
    const struct tape *from, struct tape *to, struct hp_err *e)
{
	char *name = strdup(s->program),
	     *opt = option == NULL ? NULL : strdup(option);
	struct filter *f = calloc(1, sizeof *f);
	pthread_attr_t attr;
	int rc = ENOMEM;

	if (f != NULL && name != NULL && (option == NULL || opt != NULL)) {
		*f = (struct filter){
			.program = s->program, .store = s, .to = to
		};
		if (from != NULL)
			f->from = *from;
		rc = connect_to(f, (char *[]){ name, opt, NULL });
	}
	free(name);
	free(opt);
	if (rc != 0) {
		free(f);
		errno = rc;
		hp_fail_errno(e, HP_IO, "compression program %s", s->program);
		return NULL;
	}
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	rc = pthread_create(&f->thread, &attr, work, f);
	pthread_attr_destroy(&attr);
	if (rc == 0) {
		f->works = true;
		return f;
	}
	filter_stop(f);
	errno = rc;
	hp_fail_errno(e, HP_NOMEM, "threads");
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

/*
 * Waits for the thread that copies from or to the compression program. If the
 * thread has failed, reports its error. The program may then fail only because
 * of the thread.
 */
static int
join(struct filter *f, struct hp_err *e)
{
	if (f->works)
		pthread_join(f->thread, NULL);
	f->works = false;
	if (f->rc == -1)
		*e = f->e;
	return f->rc;
}

/*
 * Runs in a thread: copies the program's compressed output to a temporary file
 * (the tape). If copying fails, closes the pipe. The program then ends, and the
 * next filter_write fails.
 */
static void *
take(void *arg)
{
	struct filter *f = arg;
	void *buf = aligned_alloc(DIRECT_ALIGN, TAKEN);
	uint64_t at = 0;
	ssize_t got = 0;

	if (buf == NULL)
		f->rc = hp_fail_errno(&f->e, HP_NOMEM, "temporary file");
	while (f->rc == 0 && (got = io_read(f->out, buf, TAKEN)) > 0) {
		f->rc = tape_put(f->to, f->store, buf, (size_t)got, at, &f->e);
		at += (uint64_t)got;
	}
	if (got == -1)
		f->rc = hp_fail_errno(
		    &f->e, HP_IO, "compression program %s", f->program);
	free(buf);
	close(f->out);
	f->out = -1;
	return NULL;
}

struct filter *
filter_pack(struct store *s, struct tape *to, struct hp_err *e)
{
	return start(s, NULL, take, NULL, to, e);
}

int
filter_write(struct filter *f, const void *s, size_t n, struct hp_err *e)
{
	if (send_all(f->in, s, n) == 0)
		return 0;
	hp_fail_errno(e, HP_IO, "compression program %s", f->program);
	shutdown(f->in, SHUT_WR);
	join(f, e);
	return -1;
}

int
filter_end(struct filter *f, uint64_t bytes, struct hp_err *e)
{
	int rc, ended;

	close(f->in);
	rc = join(f, e);
	ended = wait_for(f);
	if (rc == 0 && ended == -1)
		rc = hp_fail(
		    e, HP_IO, "compression program %s failed", f->program);
	if (rc == 0)
		tape_end_packed(f->to, f->store, bytes);
	free(f);
	return rc;
}

/*
 * Runs in a thread: copies the compressed run from its temporary file to the
 * standard input of the program. The program may stop reading: its exit status
 * shows whether that is an error.
 */
static void *
give(void *arg)
{
	struct filter *f = arg;
	char *buf = malloc(GIVEN);
	uint64_t left = f->from.packed;
	ssize_t got;

	if (buf == NULL)
		f->rc = hp_fail_errno(&f->e, HP_NOMEM, "temporary file");
	for (; f->rc == 0 && left > 0; left -= (uint64_t)got) {
		got = tape_read(&f->from, f->store, f->from.packed - left, buf,
		    left < GIVEN ? (size_t)left : GIVEN, &f->e);
		f->rc = got == -1 ? -1 : 0;
		if (got == -1 || send_all(f->in, buf, (size_t)got) == -1)
			break;
	}
	free(buf);
	shutdown(f->in, SHUT_WR);
	return NULL;
}

struct filter *
filter_unpack(
    struct store *s, const struct tape *from, int *out, struct hp_err *e)
{
	struct filter *f = start(s, "-d", give, from, NULL, e);

	if (f != NULL)
		*out = f->out;
	return f;
}

int
filter_done(struct filter *f, bool all, struct hp_err *e)
{
	ssize_t got;
	char more;

	do
		got = read(f->out, &more, 1);
	while (got == -1 && errno == EINTR);
	if (got == 0 && join(f, e) == -1)
		return -1;
	if (got == 0 && wait_for(f) == 0 && all)
		return 0;
	return hp_fail(
	    e, HP_IO, "compression program %s -d failed", f->program);
}

/*
 * Stops the compression program and the helper thread. Ignores their errors,
 * because nobody needs their results any more.
 */
void
filter_stop(struct filter *f)
{
	struct hp_err ignored;

	if (f == NULL)
		return;
	if (f->pid != -1)
		kill(f->pid, SIGTERM);
	shutdown(f->in, SHUT_RDWR);
	if (f->to == NULL || !f->works)
		io_close(f->out);
	join(f, &ignored);
	close(f->in);
	if (f->pid != -1)
		wait_for(f);
	free(f);
}
