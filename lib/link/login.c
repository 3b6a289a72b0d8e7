#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "link/login.h"

/* What ssh says of what no other try will mend. */
static const char *const hopeless_words[] = { "Host key verification failed",
	"Permission denied (", "Too many authentication failures",
	"Unable to negotiate with " };

enum {
	WRONG = 1,   /* a program that does not take what it is asked, */
	TROUBLE = 2, /* or cannot do it */
	NOT_TO_BE_RUN = 126, /* of a shell: a command that it found, */
	NOT_FOUND = 127,     /* or did not */
	READS_MOST = 64	     /* of one turn: who chatters holds up nobody */
};

static int
spawn(const char *rsh, const char *host, char *command, int fd, int errors,
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
	posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
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

int
login_start(
    struct login *l, const char *rsh, const char *host, char *command, int fd)
{
	int errors[2], rc;

	if (pipe2(errors, O_CLOEXEC) == -1)
		return errno;
	if (fcntl(errors[0], F_SETFL, O_NONBLOCK) == -1)
		rc = errno;
	else
		rc = spawn(rsh, host, command, fd, errors[1], &l->pid);
	close(errors[1]);
	if (rc != 0)
		close(errors[0]);
	l->said = errors[0];
	return rc;
}

static void
give_up_hope(struct login *l, struct refusal *r)
{
	r->hopeless += !l->hopeless;
	l->hopeless = true;
}

/* A line that tells why there is no hope is not replaced by what follows it. */
static void
line_ends(struct login *l, struct refusal *r)
{
	bool told = l->hopeless;

	l->line[l->len] = '\0';
	for (size_t i = 0; i < sizeof hopeless_words / sizeof *hopeless_words;
	     i++)
		if (strstr(l->line, hopeless_words[i]) != NULL)
			give_up_hope(l, r);
	if (l->len > 0 && !told)
		memcpy(r->why, l->line, l->len + 1);
	l->len = 0;
}

static void
take(struct login *l, struct refusal *r, unsigned char c)
{
	if (c == '\n')
		line_ends(l, r);
	else if (c != '\r' && l->len + 1 < sizeof l->line)
		l->line[l->len++] = (char)(c >= ' ' && c <= '~' ? c : '?');
}

void
login_hear(struct login *l, struct refusal *r)
{
	unsigned char buf[1024];
	ssize_t n;

	for (int k = 0;
	     k < READS_MOST && (n = read(l->said, buf, sizeof buf)) > 0; k++) {
		if (!l->quiet)
			io_write(STDERR_FILENO, buf, (size_t)n);
		for (ssize_t i = 0; i < n; i++)
			take(l, r, buf[i]);
	}
}

static void
close_all(struct login *l, struct refusal *r)
{
	login_hear(l, r);
	line_ends(l, r);
	close(l->said);
}

/* Whether another login would end so: all of ssh itself end with 255. */
static bool
is_final(int status)
{
	if (!WIFEXITED(status))
		return false;
	switch (WEXITSTATUS(status)) {
	case WRONG:
	case TROUBLE:
	case NOT_TO_BE_RUN:
	case NOT_FOUND:
		return true;
	default:
		return false;
	}
}

bool
login_ended(struct login *l, struct refusal *r)
{
	int status = 0;

	if (waitpid(l->pid, &status, WNOHANG) == 0)
		return false;
	close_all(l, r);
	if (is_final(status))
		give_up_hope(l, r);
	return true;
}

void
login_kill(struct login *l, struct refusal *r)
{
	kill(l->pid, SIGKILL);
	waitpid(l->pid, NULL, 0);
	close_all(l, r);
}
