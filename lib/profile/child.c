#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "base/clock.h"
#include "profile/child.h"

extern char **environ;

static int
wait_for(pid_t pid, int *status)
{
	pid_t got;

	do
		got = waitpid(pid, status, 0);
	while (got == -1 && errno == EINTR);
	return got == -1 ? -1 : 0;
}

int
child_run(char *const argv[], int out, double *seconds, struct hp_err *e)
{
	posix_spawn_file_actions_t actions;
	double begin_s = clock_now_s();
	int status, error;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	error = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (error == 0)
		error = posix_spawnp(
		    &pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error != 0) {
		errno = error;
		return hp_fail_errno(e, HP_IO, "%s", argv[0]);
	}
	if (wait_for(pid, &status) == -1)
		return hp_fail_errno(e, HP_IO, "wait for %s", argv[0]);
	*seconds = clock_now_s() - begin_s;
	if (WIFSIGNALED(status) &&
	    (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM))
		return hp_fail(e, HP_IO, "%s: interrupted", argv[0]);
	if (WIFSIGNALED(status)) {
		hp_fail(e, HP_IO, "killed by signal %d", WTERMSIG(status));
		return 0;
	}
	if (WEXITSTATUS(status) != 0) {
		hp_fail(e, HP_IO, "exit status %d", WEXITSTATUS(status));
		return 0;
	}
	return 1;
}
