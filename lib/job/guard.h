#ifndef HP_JOB_GUARD_H
#define HP_JOB_GUARD_H

/*
 * A guard outlives what it watches over, whatever signal ends that: nothing is
 * left behind after SIGKILL of any one process.
 *
 * guard_run forks a worker in a session of its own and stays as its parent and
 * as the subreaper of all its descendants (prctl(2), PR_SET_CHILD_SUBREAPER).
 * When `work` returns, the worker kills every descendant, and removes the
 * directories and files that it has registered.  When the worker is killed, its
 * guard does that.  When the guard is killed, the worker reads the end of a
 * pipe, guard_fd, and `work` is to return.
 */

#include <stdbool.h>

#include "base/err.h"

struct guard;

/*
 * Runs `work` in the worker, which exits with its result.  Returns, in the
 * guard only, the exit status of the worker, or 128 and its signal; -1 with
 * errno: there is no worker.
 * SIGHUP, SIGINT and SIGTERM that reach the guard are passed on to the worker
 * (which takes them from guard_fd as bytes, or by its own handlers).
 */
int guard_run(int (*work)(struct guard *, void *), void *context);

/* In the worker: readable when the guard has ended or passes on a signal. */
int guard_fd(const struct guard *);
/* The signal that was passed on; 0: none; -1: the guard has ended. */
int guard_signal(struct guard *);

/*
 * Registers a directory tree or file that must not stay behind, before it is
 * made.  keep: of a directory only FIFOs, sockets and the files `key` and
 * `lock` go.  A directory stays if another process has locked its file `lock`,
 * or itself (flock): that one has taken it over.
 */
int
guard_register(struct guard *, const char *path, bool keep, struct hp_err *);
/* It is gone, or is to stay. */
int guard_forget(struct guard *, const char *path, struct hp_err *);

/*
 * When a signal ends the worker, the guard first gives its descendants so many
 * seconds to end by themselves, as agents do when their launcher has gone.
 */
int guard_wait(struct guard *, unsigned seconds, struct hp_err *);

/* Kills every descendant of this process and waits for their ends. */
void guard_kill_all(void);
/* Kills all, and removes what is registered. */
void guard_sweep(struct guard *);

#endif
