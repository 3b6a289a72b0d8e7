#ifndef HP_JOB_CHILD_H
#define HP_JOB_CHILD_H

/*
 * A command that runs for a step: forked, in a session and process group of
 * its own, killed with SIGKILL when its parent ends, and known by a pidfd.  It
 * starts in a directory, with umask 077, signals at their defaults, the
 * standard input and output that its ports tell, and standard error in a pipe.
 */

#include <sys/resource.h>
#include <sys/types.h>

#include <stdbool.h>

#include "base/err.h"

enum child_port_kind {
	CHILD_NONE, /* /dev/null */
	/*
	 * A file, opened by the child after it has entered its directory, as
	 * to open a FIFO waits.
	 */
	CHILD_FILE,
	CHILD_FD,  /* a descriptor; -1: one that gives errors */
	CHILD_PIPE /* output only: the parent reads child.out */
};

struct child_port {
	enum child_port_kind kind;
	const char *file;
	int fd;
	/* Of an output: behind what the file has; instead it is truncated. */
	bool append;
	/* Of an output: the name must not be a symbolic link. */
	bool nofollow;
};

struct child {
	pid_t pid;    /* 0: none */
	int pidfd;    /* readable when it has ended */
	int err, out; /* non-blocking ends of pipes; -1: none */
};

/*
 * Starts words[0], found by PATH, in the directory.  A file that cannot be
 * opened and a program that cannot be run are said by the child, which exits
 * with 2, or with 126 or 127 as a shell does.
 */
int child_start(struct child *, const char *dir, char *const words[],
    const struct child_port *in, const struct child_port *out, struct hp_err *);
/* The same with a function, whose result is the exit status. */
int child_call(struct child *, const char *dir, int (*function)(void *),
    void *context, struct hp_err *);

/* Kills its process group.  Harmless when there is none. */
void child_kill(const struct child *);
/*
 * Whether it has ended; then its process group has been killed, it is reaped,
 * and *status is that of wait(2).  The pipes are the caller's to close.
 */
bool child_ended(struct child *, int *status, struct rusage *);

#endif
