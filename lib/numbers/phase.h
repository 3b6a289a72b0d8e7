#ifndef HP_NUMBERS_PHASE_H
#define HP_NUMBERS_PHASE_H

/*
 * Running one phase of the sort in all threads.  A thread that fails fills its
 * own error; the first of these becomes that of the phase.
 */

#include "base/err.h"
#include "input/input.h"
#include "numbers/engine.h"

/* Runs work(ctx, thread) in each thread.  0, or -1 if one of them failed. */
int numbers_team(struct numbers *, int (*work)(void *, unsigned), void *ctx,
    struct hp_err *);

/*
 * For one thread of such a phase: hands the blocks of the input to `take`,
 * until the input ends, the memory is full or take returns other than 0.  take
 * returns 1 to end the batch early and -1 on failure.  Sets more unless the
 * input ended.
 */
int numbers_blocks(struct numbers *, unsigned thread,
    int (*take)(void *ctx, unsigned thread, const struct block *), void *ctx);

/* The thread's error is that memory ran out.  Returns -1. */
int numbers_no_memory(struct numbers *, unsigned thread);

/* Copies the first error of any thread.  Returns -1. */
int numbers_error(const struct numbers *, struct hp_err *);

#endif
