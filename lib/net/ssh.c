#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/transport.h"
#include "net/turns.h"

enum {
	/* sshd drops logins at random from the tenth on (MaxStartups). */
	LOGINS = 8,
	/* What fails so often at the start is not a matter of chance. */
	TRIES = 7
};

static const double TERM_S = 0.25; /* to end after SIGTERM */
/* For a node that was there: if it is not there now, it has ended. */
static const double RETURN_S = 1;

/* A word for a shell, whatever is in it: allocated, or NULL. */
static char *
quote(const char *s)
{
	char *word = malloc(4 * strlen(s) + 3), *p = word;

	if (word == NULL)
		return NULL;
	*p++ = '\'';
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			p = stpcpy(p, "'\\''");
		else
			*p++ = *s;
	}
	strcpy(p, "'");
	return word;
}

/* What the shell of the host is to run. */
static char *
remote_command(const struct address *to, double timeout_s)
{
	char *dir = quote(to->dir), *command = NULL;

	if (dir != NULL &&
	    asprintf(&command, "exec hpexchange --timeout %g --serve %s",
		timeout_s, dir) == -1)
		command = NULL;
	free(dir);
	return command;
}

/*
 * Runs rsh, words of the user's, with fd as standard input and output.  What
 * it complains of it does once, however often it is tried.
 */
static int
spawn(const char *rsh, const char *host, char *command, int fd, bool again,
    pid_t *pid)
{
	char shell[] = "sh", option[] = "-c", *script, *name = strdup(host);
	char *argv[] = { shell, option, NULL, shell, name, command, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t defaults;
	int rc;

	if (name == NULL || asprintf(&script, "exec %s \"$@\"", rsh) == -1) {
		free(name);
		return ENOMEM;
	}
	argv[2] = script;
	/* We ignore SIGPIPE; whom we start shall not. */
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
	if (again)
		posix_spawn_file_actions_addopen(
		    &actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	rc = posix_spawn(pid, "/bin/sh", &actions, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	free(script);
	free(name);
	return rc;
}

/* Whether all have ended. */
static bool
reap(struct door *d)
{
	size_t left = 0;

	for (size_t i = 0; i < d->children; i++)
		if (waitpid(d->child[i], NULL, WNOHANG) == 0)
			d->child[left++] = d->child[i];
	d->children = left;
	return left == 0;
}

static int
remember(struct door *d, pid_t pid)
{
	pid_t *grown = reallocarray(d->child, d->children + 1, sizeof *grown);

	if (grown == NULL)
		return -1;
	d->child = grown;
	d->child[d->children++] = pid;
	return 0;
}

static int
ssh_dial(struct door *d, const struct address *to, struct channel *c,
    struct hp_err *e)
{
	char *command;
	int fd[2], rc;
	pid_t pid;

	if (turns_near(to, &d->node[d->me]))
		return unix_dial(d, to, c, e);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) == -1)
		return hp_fail_errno(e, HP_IO, "%s", to->name);
	command = remote_command(
	    to, d->known ? RETURN_S : d->options->timeout_s);
	rc = command == NULL
	    ? ENOMEM
	    : spawn(d->options->rsh, to->host, command, fd[1], d->again, &pid);
	free(command);
	close(fd[1]);
	if (rc == 0 && remember(d, pid) == -1)
		rc = ENOMEM;
	/* Only our end: the other may be shared with who knows whom. */
	if (rc == 0 && fcntl(fd[0], F_SETFL, O_NONBLOCK) == -1)
		rc = errno;
	if (rc == 0) {
		*c = channel_of(fd[0]);
		return 1;
	}
	close(fd[0]);
	errno = rc;
	return hp_fail_errno(e, HP_IO, "%s: %s", to->name, d->options->rsh);
}

static void
ssh_tend(struct door *d)
{
	reap(d);
}

static void
wait_for_all(struct door *d, double end_s)
{
	const struct timespec nap = { .tv_nsec = 10000000 };

	while (!reap(d) && clock_now_s() < end_s)
		nanosleep(&nap, NULL);
}

/*
 * The connections are closed: what carried them brings our last words, and has
 * nothing to do any more.  One that is stuck is not waited for.
 */
static void
ssh_close(struct door *d)
{
	wait_for_all(d, d->end_s);
	for (size_t i = 0; i < d->children; i++)
		kill(d->child[i], SIGTERM);
	wait_for_all(d, clock_now_s() + TERM_S);
	for (size_t i = 0; i < d->children; i++) {
		kill(d->child[i], SIGKILL);
		waitpid(d->child[i], NULL, 0);
	}
	free(d->child);
	d->child = NULL;
	d->children = 0;
	unix_close(d);
}

const struct transport transport_ssh = {
	.name = "ssh",
	.logins = LOGINS,
	.tries = TRIES,
	.open = unix_open,
	.poll_fd = unix_poll_fd,
	.accept = unix_accept,
	.close = ssh_close,
	.tend = ssh_tend,
	.dial = ssh_dial,
};

const struct transport *
transport_between(const struct address *node, uint32_t nodes, uint32_t me)
{
	for (uint32_t i = 0; i < nodes; i++)
		if (!turns_near(&node[i], &node[me]))
			return &transport_ssh;
	return &transport_unix;
}
