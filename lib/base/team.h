#ifndef HP_BASE_TEAM_H
#define HP_BASE_TEAM_H

/*
 * Threads for one phase of a job: start them, let each do its part, join.
 */

#include "base/err.h"

/*
 * Calls work(ctx, i) for i = 0 .. n - 1, all at once; the caller's own thread
 * is number 0, so n = 1 costs nothing.  Returns -1 if a thread could not be
 * started, which is HP_NOMEM (those that were are joined first), or work
 * returned -1 for any i, which has to tell why itself.
 */
int team_run(
    unsigned n, int (*work)(void *ctx, unsigned i), void *ctx, struct hp_err *);

/*
 * The same with n + TEAM_SPARE threads, of which only n get ahead at any time:
 * while one waits for a disk or for another thread, which it says by team_wait
 * and team_go_on, a spare one takes its place.
 */
enum {
	TEAM_SPARE = 2
};
int team_run_spare(
    unsigned n, int (*work)(void *ctx, unsigned i), void *ctx, struct hp_err *);

/* Around what may take long without work for a processor; anywhere. */
void team_wait(void);
void team_go_on(void);

#endif
