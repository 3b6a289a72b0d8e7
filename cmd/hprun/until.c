#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size.h"
#include "spawned.h"
#include "until.h"

enum {
	PAUSE_MOST_MS = 3600 * 1000
};

/* Starts the command with the write end of a pipe as its standard output. */
static int
begin(char *const words[], int *from, pid_t *pid, struct hp_err *e)
{
	posix_spawn_file_actions_t files;
	int fds[2], why;

	if (pipe2(fds, O_CLOEXEC) == -1)
		return hp_fail_errno(e, HP_IO, "pipe");
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fds[1], STDOUT_FILENO);
	why = posix_spawnp(pid, words[0], &files, NULL, words, environ);
	posix_spawn_file_actions_destroy(&files);
	close(fds[1]);
	if (why != 0) {
		close(fds[0]);
		return hp_fail(e, HP_IO, "%s: %s", words[0], strerror(why));
	}
	*from = fds[0];
	return 0;
}

/*
 * Waits for the command to exit, at most until until_s.  Returns whether it has
 * exited.
 */
static bool
exits(pid_t pid, double until_s, int *status)
{
	while (waitpid(pid, status, WNOHANG) != pid) {
		if (clock_now_s() > until_s)
			return false;
		clock_sleep_s(0.01);
	}
	return true;
}

int
until_do(char *words[], struct hp_err *e)
{
	uint64_t processes, pause_ms, done = 0;
	char *line = NULL;
	size_t size = 0;
	int from = -1, status = 0;
	pid_t pid;
	FILE *f;

	if (words[0] == NULL || words[1] == NULL || words[2] == NULL)
		return hp_fail(e, HP_USAGE, "until PROCESSES PAUSE COMMAND...");
	if (int_parse(words[0], 1, UINT32_MAX, &processes, "processes", e) ==
		-1 ||
	    int_parse(words[1], 0, PAUSE_MOST_MS, &pause_ms, "pause", e) ==
		-1 ||
	    begin(words + 2, &from, &pid, e) == -1)
		return -1;
	if ((f = fdopen(from, "r")) == NULL) {
		close(from);
		kill(pid, SIGKILL);
		return hp_fail_errno(e, HP_IO, "pipe");
	}
	while (done < processes && getline(&line, &size, f) != -1)
		if (strcmp(line, UNTIL_DONE "\n") == 0)
			done++;
		else
			fputs(line, stdout);
	free(line);
	if (done < processes) {
		while (waitpid(pid, &status, 0) == -1)
			if (errno != EINTR)
				return hp_fail_errno(e, HP_IO, "%s", words[2]);
	} else if (!exits(
		       pid, clock_now_s() + (double)pause_ms / 1e3, &status)) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		status = 0;
	}
	fclose(f);
	spawned_end_like(status);
	return 0;
}
