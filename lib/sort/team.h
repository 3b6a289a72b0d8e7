#ifndef HP_SORT_TEAM_H
#define HP_SORT_TEAM_H

/*
 * Threads for one phase of a job: start them, let each do its part, join.
 */

#include "base/err.h"

/*
 * Calls work(ctx, i) for i = 0 .. n - 1, all at once; the caller's own thread
 * is number 0, so n = 1 costs nothing.  Returns -1 if a thread could not be
 * started (those that were are joined first) or work returned -1 for any i.
 */
int team_run(
    unsigned n, int (*work)(void *ctx, unsigned i), void *ctx, struct hp_err *);

#endif
