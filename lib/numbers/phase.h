#ifndef HP_NUMBERS_PHASE_H
#define HP_NUMBERS_PHASE_H

/*
 * Runs one phase of the sort in all threads. Each thread has its own struct
 * hp_err. If threads fail, the first of their errors becomes the error of the
 * phase.
 */

#include "base/err.h"
#include "input/input.h"
#include "numbers/engine.h"

/*
 * Calls work(ctx, i) in thread i, for each thread. Returns 0, or -1 if one of
 * the calls failed.
 */
int numbers_team(struct numbers *, int (*work)(void *, unsigned), void *ctx,
    struct hp_err *);

/*
 * Each thread of a phase calls this function to read the input. It calls `take`
 * for one block after the other, until the input ends, the memory is full or
 * `take` returns nonzero. `take` returns 1 to end the batch, and -1 on failure.
 * Sets s->more if a part of the input was not read.
 */
int numbers_blocks(struct numbers *, unsigned thread,
    int (*take)(void *ctx, unsigned thread, const struct block *), void *ctx);

/* Sets the error of this thread to HP_NOMEM and returns -1. */
int numbers_no_memory(struct numbers *, unsigned thread);

/* Copies the error of the first thread that failed. Returns -1. */
int numbers_error(const struct numbers *, struct hp_err *);

#endif
