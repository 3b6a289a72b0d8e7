#ifndef HP_JOB_GUARD_H
#define HP_JOB_GUARD_H

/*
 * Guard and worker: two processes that clean up for each other, so that SIGKILL
 * of either one leaves nothing behind.
 *
 * guard_run forks the worker into its own session.  The guard stays as its
 * parent and as subreaper of its descendants (prctl(2),
 * PR_SET_CHILD_SUBREAPER). When `work` returns, the worker kills all
 * descendants and removes the registered directories and files.  If the worker
 * is killed, its guard does that.  If the guard is killed, guard_fd becomes
 * readable and `work` must return.
 */

#include <stdbool.h>

#include "base/err.h"

struct guard;

/*
 * Runs `work` in a new process, the worker, which exits with its result. The
 * calling process becomes the guard, and only the guard returns. It returns the
 * worker's exit status, or 128 plus the signal that ended the worker, or -1
 * with errno if there is no worker. It passes SIGHUP, SIGINT and SIGTERM on to
 * the worker, as bytes of guard_fd.
 */
int guard_run(int (*work)(struct guard *, void *), void *context);

/*
 * Returns a descriptor for use by the worker. It is readable when the guard has
 * ended or passes on a signal.
 */
int guard_fd(const struct guard *);
/*
 * Returns the signal that the guard passed on; 0 if none; -1 if the guard has
 * ended.
 */
int guard_signal(struct guard *);

/*
 * Registers a directory tree or file, which the guard removes at the end. The
 * caller must register a path before it makes the file. `keep` means that the
 * guard keeps the directory, but removes its FIFOs, its sockets and the files
 * `key` and `lock`. A directory also stays if another process has locked it
 * (flock) or its file `lock`: that process has taken it over.
 */
int
guard_register(struct guard *, const char *path, bool keep, struct hp_err *);
/*
 * Makes the guard forget a registered path, which is already removed or must
 * stay.
 */
int guard_forget(struct guard *, const char *path, struct hp_err *);

/*
 * Sets how long the guard waits after a signal has ended the worker. Then the
 * guard kills the worker's descendants. During the wait, the descendants may
 * end by themselves, as agents do without a launcher.
 */
int guard_wait(struct guard *, unsigned seconds, struct hp_err *);

#endif
