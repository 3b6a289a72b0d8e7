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

/* Messages of ssh after which a retry would fail in the same way. */
static const char *const permanent_errors[] = { "Host key verification failed",
	"Permission denied (", "Too many authentication failures",
	"Unable to negotiate with " };

enum {
	/*
	 * Exit statuses of hpexchange --serve after which a retry would fail,
	 * too (EXIT_NO and EXIT_TROUBLE in cmd.h).
	 */
	WRONG = 1,
	TROUBLE = 2,
	/* Exit status of a shell if the command is not executable. */
	NOT_EXECUTABLE = 126,
	NOT_FOUND = 127, /* the command does not exist */
	/*
	 * Number of reads in one call. The limit keeps endless messages of one
	 * login from blocking others.
	 */
	READS_MOST = 64
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
	/*
	 * This process ignores SIGPIPE, but the command needs the default
	 * action.
	 */
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
	l->errors = errors[0];
	return rc;
}

static void
count_permanent(struct login *l, struct login_failures *r)
{
	r->permanent += !l->permanent;
	l->permanent = true;
}

/*
 * Ends a line of the login's messages. Keeps the message of a permanent error,
 * because later messages are less precise.
 */
static void
end_line(struct login *l, struct login_failures *r)
{
	bool told = l->permanent;

	l->line[l->len] = '\0';
	for (size_t i = 0;
	     i < sizeof permanent_errors / sizeof *permanent_errors; i++)
		if (strstr(l->line, permanent_errors[i]) != NULL)
			count_permanent(l, r);
	if (l->len > 0 && !told)
		memcpy(r->why, l->line, l->len + 1);
	l->len = 0;
}

static void
take(struct login *l, struct login_failures *r, unsigned char c)
{
	if (c == '\n')
		end_line(l, r);
	else if (c != '\r' && l->len + 1 < sizeof l->line)
		l->line[l->len++] = (char)(c >= ' ' && c <= '~' ? c : '?');
}

void
login_read(struct login *l, struct login_failures *r)
{
	unsigned char buf[1024];
	ssize_t n;

	for (int k = 0;
	     k < READS_MOST && (n = read(l->errors, buf, sizeof buf)) > 0;
	     k++) {
		if (!l->quiet)
			io_write(STDERR_FILENO, buf, (size_t)n);
		for (ssize_t i = 0; i < n; i++)
			take(l, r, buf[i]);
	}
}

static void
close_all(struct login *l, struct login_failures *r)
{
	login_read(l, r);
	end_line(l, r);
	close(l->errors);
}

/*
 * Returns whether the command on the host failed in such a way that a retry
 * would fail, too. If ssh itself fails, it exits with 255.
 */
static bool
is_final(int status)
{
	if (!WIFEXITED(status))
		return false;
	switch (WEXITSTATUS(status)) {
	case WRONG:
	case TROUBLE:
	case NOT_EXECUTABLE:
	case NOT_FOUND:
		return true;
	default:
		return false;
	}
}

bool
login_ended(struct login *l, struct login_failures *r)
{
	int status = 0;

	if (waitpid(l->pid, &status, WNOHANG) == 0)
		return false;
	close_all(l, r);
	if (is_final(status))
		count_permanent(l, r);
	return true;
}

void
login_kill(struct login *l, struct login_failures *r)
{
	kill(l->pid, SIGKILL);
	waitpid(l->pid, NULL, 0);
	close_all(l, r);
}
