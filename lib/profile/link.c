#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "profile/link.h"

enum {
	WORDS = 64,
	CHUNK = 256 << 10,
	ROUND_TRIPS = 20,
	STEP_MS = 200
};

/*
 * The host prints this line before the measurement begins. A login may print
 * other lines before it.
 */
#define READY "link-ready\n"

struct login {
	pid_t pid;
	int to, from; /* -1: closed */
	const char *host;
};

static void
close_fd(int *fd)
{
	if (*fd != -1)
		close(*fd);
	*fd = -1;
}

static void
logout(struct login *l)
{
	close_fd(&l->to);
	close_fd(&l->from);
	if (l->pid > 0) {
		kill(l->pid, SIGTERM);
		while (waitpid(l->pid, NULL, 0) == -1 && errno == EINTR)
			;
	}
	l->pid = 0;
}

static int
spawn(struct login *l, char *const argv[], int in, int out)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t broken_pipe;
	int bad;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	/*
	 * The caller ignores SIGPIPE, but the login command must not ignore it.
	 */
	posix_spawnattr_init(&attr);
	sigemptyset(&broken_pipe);
	sigaddset(&broken_pipe, SIGPIPE);
	posix_spawnattr_setsigdefault(&attr, &broken_pipe);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	bad = posix_spawnp(&l->pid, argv[0], &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	if (bad != 0)
		l->pid = 0;
	return bad;
}

/* Starts the login command. `line` is the command for the shell of the host. */
static int
login(struct login *l, const char *rsh, const char *host, const char *line,
    struct hp_err *e)
{
	char *words = strdup(rsh), *copy = strdup(host), *text = strdup(line);
	char *argv[WORDS], *rest = words, *word;
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, rc = -1, bad;
	size_t n = 0;

	*l = (struct login){ .to = -1, .from = -1, .host = host };
	while (words != NULL && n < WORDS - 3 &&
	    (word = strsep(&rest, " ")) != NULL)
		if (*word != '\0')
			argv[n++] = word;
	argv[n] = copy;
	argv[n + 1] = text;
	argv[n + 2] = NULL;
	if (words == NULL || copy == NULL || text == NULL)
		hp_fail(e, HP_NOMEM, "%s", host);
	else if (n == 0)
		hp_fail(e, HP_USAGE, "--rsh: no command");
	else if (pipe2(in, O_CLOEXEC) == -1 || pipe2(out, O_CLOEXEC) == -1)
		hp_fail_errno(e, HP_IO, "%s", host);
	else if ((bad = spawn(l, argv, in[0], out[1])) != 0)
		hp_fail(e, HP_IO, "%s: %s", argv[0], strerror(bad));
	else
		rc = 0;
	close_fd(&in[0]);
	close_fd(&out[1]);
	l->to = in[1];
	l->from = out[0];
	free(words);
	free(copy);
	free(text);
	if (rc == -1)
		logout(l);
	return rc;
}

/* Waits until the host prints `text`. Skips any other output before `text`. */
static int
expect(const struct login *l, const char *text, struct hp_err *e)
{
	double end_s = clock_now_s() + LINK_PATIENCE_S;
	size_t matched = 0;
	char c;

	while (text[matched] != '\0') {
		struct pollfd p = { .fd = l->from, .events = POLLIN };

		if (clock_now_s() > end_s)
			return hp_fail(e, HP_IO, "%s: no answer after %d s",
			    l->host, LINK_PATIENCE_S);
		if (poll(&p, 1, STEP_MS) <= 0)
			continue;
		if (read(l->from, &c, 1) <= 0)
			return hp_fail(
			    e, HP_IO, "%s: the login ended early", l->host);
		matched = c == text[matched] ? matched + 1 : c == text[0];
	}
	return 0;
}

static int
measure_latency(struct login *l, double *latency_s, struct hp_err *e)
{
	*latency_s = 0;
	for (int i = 0; i < ROUND_TRIPS; i++) {
		double begin_s = clock_now_s(), took_s;

		if (write(l->to, "x", 1) != 1)
			return hp_fail_errno(e, HP_IO, "%s", l->host);
		if (expect(l, "x", e) == -1)
			return -1;
		took_s = clock_now_s() - begin_s;
		if (i == 0 || took_s < *latency_s)
			*latency_s = took_s;
	}
	return 0;
}

/* Waits until the login command accepts data or has sent data. */
static int
wait_for(const struct login *l, int fd, short events, struct hp_err *e)
{
	struct pollfd p = { .fd = fd, .events = events };

	if (poll(&p, 1, LINK_PATIENCE_S * 1000) > 0)
		return 0;
	return hp_fail(
	    e, HP_IO, "%s: silent for %d s", l->host, LINK_PATIENCE_S);
}

/*
 * Sends data for `seconds` seconds and computes the rate. The host answers when
 * it has read all of the data.
 */
static int
measure_to(struct login *l, char *buf, double seconds, double latency_s,
    double *rate, struct hp_err *e)
{
	double begin_s = clock_now_s(), sent = 0, took_s;

	fcntl(l->to, F_SETFL, O_NONBLOCK);
	while (clock_now_s() - begin_s < seconds) {
		ssize_t n;

		if (wait_for(l, l->to, POLLOUT, e) == -1)
			return -1;
		if ((n = write(l->to, buf, CHUNK)) <= 0)
			return hp_fail_errno(e, HP_IO, "%s", l->host);
		sent += (double)n;
	}
	close_fd(&l->to);
	if (expect(l, READY, e) == -1)
		return -1;
	took_s = clock_now_s() - begin_s;
	/* The answer needs half a round trip. */
	*rate = sent / (took_s - latency_s / 2);
	return 0;
}

static int
measure_from(
    struct login *l, char *buf, double seconds, double *rate, struct hp_err *e)
{
	double begin_s = clock_now_s(), took_s, got = 0;

	do {
		ssize_t n;

		if (wait_for(l, l->from, POLLIN, e) == -1)
			return -1;
		if ((n = read(l->from, buf, CHUNK)) <= 0)
			return hp_fail(
			    e, HP_IO, "%s: the login ended early", l->host);
		got += (double)n;
		took_s = clock_now_s() - begin_s;
	} while (took_s < seconds);
	*rate = got / took_s;
	return 0;
}

static int
measure_all(const char *rsh, const char *host, double seconds, char *buf,
    struct link_rates *r, struct hp_err *e)
{
	struct login l;
	int rc;

	if (login(&l, rsh, host, "echo link-ready; exec cat", e) == -1)
		return -1;
	rc = expect(&l, READY, e);
	if (rc == 0)
		rc = measure_latency(&l, &r->latency_s, e);
	logout(&l);
	if (rc == -1 ||
	    login(&l, rsh, host,
		"echo link-ready; cat >/dev/null; echo link-ready", e) == -1)
		return -1;
	rc = expect(&l, READY, e);
	if (rc == 0)
		rc = measure_to(&l, buf, seconds, r->latency_s, &r->receive, e);
	logout(&l);
	if (rc == -1 ||
	    login(&l, rsh, host, "echo link-ready; exec cat /dev/zero", e) ==
		-1)
		return -1;
	rc = expect(&l, READY, e);
	if (rc == 0)
		rc = measure_from(&l, buf, seconds, &r->send, e);
	logout(&l);
	return rc;
}

int
link_measure(const char *rsh, const char *host, double seconds,
    struct link_rates *r, struct hp_err *e)
{
	char *buf = calloc(1, CHUNK);
	int rc;

	if (buf == NULL)
		return hp_fail(e, HP_NOMEM, "%s", host);
	rc = measure_all(rsh, host, seconds, buf, r, e);
	free(buf);
	return rc;
}
