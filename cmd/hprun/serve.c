#include <sys/stat.h>

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <err.h>

#include "base/io.h"
#include "cmd.h"
#include "job/agent.h"
#include "serve.h"

char *
find_home(void)
{
	char *path = realpath("/proc/self/exe", NULL), *home;

	if (path == NULL)
		return NULL;
	home = io_directory(path);
	free(path);
	return home;
}

static int
needs_connection(int fd, const char *name, struct hp_err *e)
{
	struct stat st;

	if (fstat(fd, &st) == 0 &&
	    (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		return 0;
	return hp_fail(e, HP_USAGE,
	    "standard %s is no connection: hprun starts agents itself", name);
}

int
serve_agent(struct guard *guard, void *context)
{
	char *home = find_home();
	struct agent_config config = { .in = STDIN_FILENO,
		.out = STDOUT_FILENO,
		.stdin_fd = -1,
		.stdout_fd = -1,
		.home = home,
		.guard = guard };
	struct hp_err e = { 0 };
	int rc;

	(void)context;
	signal(SIGPIPE, SIG_IGN);
	if ((rc = needs_connection(STDIN_FILENO, "input", &e)) == 0 &&
	    (rc = needs_connection(STDOUT_FILENO, "output", &e)) == 0)
		rc = agent_serve(&config, &e);
	if (rc == -1)
		warnx("--agent: %s", e.text);
	free(home);
	return rc == -1 ? EXIT_TROUBLE : EXIT_DONE;
}
