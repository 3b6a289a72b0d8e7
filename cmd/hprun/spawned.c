#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <err.h>

#include "spawned.h"

enum {
	/* exit statuses that a shell uses for these errors */
	NOT_TO_BE_RUN = 126,
	NOT_FOUND = 127
};

int
spawned_run(char *const words[], int *status, struct hp_err *e)
{
	pid_t pid;
	int why = posix_spawnp(&pid, words[0], NULL, NULL, words, environ);

	if (why == ENOENT || why == EACCES || why == ENOEXEC) {
		warnx("%s: %s", words[0],
		    why == ENOENT ? "not found" : strerror(why));
		exit(why == ENOENT ? NOT_FOUND : NOT_TO_BE_RUN);
	}
	if (why != 0)
		return hp_fail(e, HP_IO, "%s: %s", words[0], strerror(why));
	while (waitpid(pid, status, 0) == -1)
		if (errno != EINTR)
			return hp_fail_errno(e, HP_IO, "%s", words[0]);
	return 0;
}

void
spawned_end_like(int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	if (WIFEXITED(status))
		exit(WEXITSTATUS(status));
	fflush(NULL);
	signal(WTERMSIG(status), SIG_DFL);
	kill(getpid(), WTERMSIG(status));
	exit(128 + WTERMSIG(status));
}
