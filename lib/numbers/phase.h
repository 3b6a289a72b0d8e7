#ifndef HP_NUMBERS_PHASE_H
#define HP_NUMBERS_PHASE_H

/*
 * Runs one phase of the sort in all threads. A thread that fails fills its own
 * error; the first of these becomes the error of the phase.
 */

#include "base/err.h"
#include "input/input.h"
#include "numbers/engine.h"

/*
 * Runs work(ctx, thread) in each thread. Returns 0, or -1 if one of them
 * failed.
 */
int numbers_team(struct numbers *, int (*work)(void *, unsigned), void *ctx,
    struct hp_err *);

/*
 * Called by each thread of a phase: passes blocks of the input to `take`, until
 * the input ends, the memory is full or take returns nonzero. take returns 1 to
 * end the batch early and -1 on failure. Sets s->more unless the input ended.
 */
int numbers_blocks(struct numbers *, unsigned thread,
    int (*take)(void *ctx, unsigned thread, const struct block *), void *ctx);

/* Sets the thread's error to HP_NOMEM. Returns -1. */
int numbers_no_memory(struct numbers *, unsigned thread);

/* Copies the first error of any thread.  Returns -1. */
int numbers_error(const struct numbers *, struct hp_err *);

#endif
