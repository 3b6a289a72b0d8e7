#ifndef HP_BASE_TEAM_H
#define HP_BASE_TEAM_H

/*
 * Threads for one phase of a job: starts the threads, lets each do its part,
 * and joins them.
 */

#include "base/err.h"

/*
 * Calls work(ctx, i) for i = 0 .. n - 1 in n threads. The calling thread is
 * number 0, so n = 1 starts no thread. Returns -1 if work returned -1 for any
 * i; work itself must report why. Also returns -1 if a thread could not be
 * started (HP_NOMEM); those that were started are joined first.
 */
int team_run(
    unsigned n, int (*work)(void *ctx, unsigned i), void *ctx, struct hp_err *);

/*
 * Calls work in n + TEAM_SPARE threads, of which at most n run at a time. A
 * thread that waits for a disk or another thread calls team_wait and then
 * team_go_on; meanwhile a spare thread runs in its place.
 */
enum {
	TEAM_SPARE = 2
};
int team_run_spare(
    unsigned n, int (*work)(void *ctx, unsigned i), void *ctx, struct hp_err *);

/*
 * After a failure: sets *e to the first error among those of n threads, unless
 * *e is already set.  Returns -1.
 */
int team_error(const struct hp_err *, unsigned n, struct hp_err *e);

/*
 * A thread calls team_wait before it waits for a disk or another thread, and
 * team_go_on after the wait. Meanwhile a spare thread of team_run_spare can
 * run. In all other threads both functions do nothing.
 */
void team_wait(void);
void team_go_on(void);

#endif
