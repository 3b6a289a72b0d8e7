#ifndef HP_JOB_LAUNCH_H
#define HP_JOB_LAUNCH_H

/*
 * Launch methods start the agent of a machine.  After the start, the launcher
 * treats all machines alike.  A method is a row of the table in launch.c.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Where and how to start an agent. */
struct launch_spec {
	const char *host; /* NULL: this machine itself */
	const char *home; /* directory of the programs; NULL: PATH has them */
	const char *rsh;  /* login command, words separated by blanks */
	/* Soft limit of open files for the child; 0: unchanged. */
	size_t files;
};

/* A running login. */
struct login_process {
	pid_t pid; /* child that leads its own session */
	int wire;  /* non-blocking connection, both directions */
	int said;  /* its standard error, non-blocking; -1: shared with this
		      process */
};

struct launch_method {
	const char *name;
	int (*start)(const struct launch_spec *, struct login_process *,
	    struct hp_err *);
};

/* Returns NULL if there is no method of that name. */
const struct launch_method *launch_method(const char *name);
/*
 * Returns the command line for a host's shell; the caller frees it.  NULL: out
 * of memory.
 */
char *launch_line(const char *home);

#endif
