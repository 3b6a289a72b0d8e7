#include <sys/stat.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <err.h>

#include "base/io.h"
#include "cmd.h"
#include "job/agent.h"
#include "job/call.h"
#include "serve.h"

enum {
	/*
	 * most seconds for reading the port, and for connecting to the launcher
	 */
	CALL_S = 30
};

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
serve_call(void)
{
	const char *address = getenv("SLURM_LAUNCH_NODE_IPADDR"),
		   *node = getenv("SLURMD_NODENAME");
	struct hp_err e = { 0 };
	struct call_to to;
	int fd = -1;

	if (address == NULL || node == NULL) {
		warnx("--agent=call: srun has not started this process");
		return -1;
	}
	if (call_read(STDIN_FILENO, CALL_S, &to, &e) == 0)
		fd = call_launcher(&to, address, node, CALL_S, &e);
	explicit_bzero(&to, sizeof to);
	if (fd == -1 || dup2(fd, STDIN_FILENO) == -1 ||
	    dup2(fd, STDOUT_FILENO) == -1) {
		warnx("%s: --agent=call: %s", node, e.text);
		return -1;
	}
	close(fd);
	return 0;
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
		.launcher = getenv("SLURM_LAUNCH_NODE_IPADDR"),
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
