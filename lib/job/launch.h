#ifndef HP_JOB_LAUNCH_H
#define HP_JOB_LAUNCH_H

/*
 * A launch method is a way to start the agent of a machine, such as ssh. The
 * table in launch.c has a row for each method. Once the agents run, the
 * launcher treats all machines alike.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Where and how to start an agent. */
struct launch_spec {
	const char *host; /* NULL: this machine itself */
	/* directory of the hptools programs; NULL: PATH contains it */
	const char *home;
	const char *rsh; /* login command, words separated by blanks */
	/* Soft limit of open files for the child; 0: unchanged. */
	size_t files;
};

/* A running login. */
struct login_process {
	pid_t pid; /* child that leads its own session */
	int wire;  /* non-blocking connection, both directions */
	/*
	 * descriptor to read the login's standard error from, non-blocking; -1:
	 * the login writes to the standard error of this process
	 */
	int said;
};

struct launch_method {
	const char *name;
	/*
	 * Starts the agent of one machine. NULL: one command starts the agents
	 * of many machines, and the agents then connect to the launcher
	 * (call.h).
	 */
	int (*start)(const struct launch_spec *, struct login_process *,
	    struct hp_err *);
};

/* Returns the launch method called `name`, or NULL if there is none. */
const struct launch_method *launch_method(const char *name);
/*
 * Prepares a child process: gives it its own session, default signals, and the
 * soft limit `files` of open files. If `files` is 0, the limit stays unchanged.
 */
void launch_afresh(size_t files);
/*
 * Returns the command line that starts an agent, for the shell of a host. The
 * caller frees it. Returns NULL if memory is short.
 */
char *launch_line(const char *home);

#endif
