#ifndef HP_BUCKET_PHASE_H
#define HP_BUCKET_PHASE_H

/*
 * Runs one phase of the sort in several threads. A thread that fails fills its
 * own error; the first of these becomes the error of the phase.
 */

#include "base/err.h"
#include "bucket/engine.h"

/*
 * Runs work(ctx, thread) in each thread. Returns 0, or -1 if one of them
 * failed.
 */
int buckets_team(struct buckets *, unsigned threads,
    int (*work)(void *, unsigned), void *ctx, struct hp_err *);
/*
 * Like buckets_team, with spare threads that work while others wait for a disk.
 */
int buckets_team_spare(struct buckets *, int (*work)(void *, unsigned),
    void *ctx, struct hp_err *);

#endif
