#ifndef HP_JOB_CHILD_H
#define HP_JOB_CHILD_H

/*
 * A child process that runs a command of a step. It has its own session and
 * process group, gets SIGKILL when its parent ends, and is watched by a pidfd.
 * It starts in a given directory with umask 077 and default signals. Two ports
 * (struct child_port) say what its standard input and output are; standard
 * error is a pipe.
 */

#include <sys/resource.h>
#include <sys/types.h>

#include <stdbool.h>

#include "base/err.h"

/*
 * Size of the pipe or socket for standard output, if the system allows it. With
 * a larger one, the system switches less often between the parent and the
 * child.
 */
#define CHILD_OUT_BYTES (1 << 18)

enum child_port_kind {
	CHILD_NONE, /* /dev/null */
	/*
	 * a file in the child's directory. The child opens it, because opening
	 * a FIFO may block.
	 */
	CHILD_FILE,
	CHILD_FD,   /* a descriptor; -1: reads and writes fail */
	CHILD_PIPE, /* the parent writes child.in, or reads child.out */
	/*
	 * Like CHILD_PIPE, but with a Unix socket, which moves data in half the
	 * time. Unlike a pipe, a socket cannot be opened as /dev/stdin or
	 * /dev/stdout, so commands of users get pipes.
	 */
	CHILD_SOCKET
};

struct child_port {
	enum child_port_kind kind;
	const char *file;
	int fd;
	/* For output: append to the file instead of truncating it. */
	bool append;
	/* For output: fail if the file name is a symbolic link. */
	bool nofollow;
};

struct child {
	pid_t pid; /* 0: none */
	int pidfd; /* readable when it has ended */
	/* non-blocking ends of pipes or sockets; -1: none */
	int in, err, out;
};

/*
 * Starts the program words[0] in the directory `dir`. Searches PATH for the
 * program. If a file for its standard input or output cannot be opened, the
 * child prints the error and exits with 2. If the program cannot be run, the
 * child exits with 126 or 127 like a shell.
 */
int child_start(struct child *, const char *dir, char *const words[],
    const struct child_port *in, const struct child_port *out, struct hp_err *);
/*
 * Runs the function in a child process. The exit status of the child is the
 * result of the function.
 */
int child_call(struct child *, const char *dir, int (*function)(void *),
    void *context, struct hp_err *);

/*
 * Kills the child's process group. Does nothing if the child was not started.
 */
void child_kill(const struct child *);
/*
 * Returns whether the child has ended. If so, kills the rest of its process
 * group, reaps the child and sets *status as wait(2) does. The caller closes
 * the pipes.
 */
bool child_ended(struct child *, int *status, struct rusage *);

/* Resets the signals of a new process, as a login does. */
void child_signals(void);

#endif
