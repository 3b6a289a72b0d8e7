#ifndef HP_JOB_LAUNCH_H
#define HP_JOB_LAUNCH_H

/*
 * Launch methods: how the agent of a machine is started.  The launcher treats
 * machines alike from then on.  A method is a row of the table in launch.c.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* What is to be started where. */
struct launch_spec {
	const char *host; /* NULL: this machine itself */
	const char *home; /* directory of the programs; NULL: found by PATH */
	const char *rsh;  /* words of the command that reaches hosts */
	/* Soft limit of open files for what is started; 0: as it is. */
	size_t files;
};

/* A login that was started. */
struct login_process {
	pid_t pid; /* a child; leads a session of its own */
	int wire;  /* connection, both directions, does not block */
	int said;  /* its standard error, does not block; -1: is ours */
};

struct launch_method {
	const char *name;
	int (*start)(const struct launch_spec *, struct login_process *,
	    struct hp_err *);
};

/* NULL: there is none of that name. */
const struct launch_method *launch_method(const char *name);
/* The command line that a host's shell runs; to be freed.  NULL: no memory. */
char *launch_line(const char *home);

#endif
