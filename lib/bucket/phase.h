#ifndef HP_BUCKET_PHASE_H
#define HP_BUCKET_PHASE_H

/*
 * Runs one phase of the sort in several threads. Each thread has its own struct
 * hp_err. If threads fail, the first of their errors becomes the error of the
 * phase.
 */

#include "base/err.h"
#include "bucket/engine.h"

/*
 * Calls work(ctx, i) in thread i, for each i below `threads`. Returns 0, or -1
 * if one of the calls failed.
 */
int buckets_team(struct buckets *, unsigned threads,
    int (*work)(void *, unsigned), void *ctx, struct hp_err *);
/*
 * Works like buckets_team, but starts spare threads, too. A spare thread runs
 * while another thread waits for a disk.
 */
int buckets_team_spare(struct buckets *, int (*work)(void *, unsigned),
    void *ctx, struct hp_err *);

#endif
