#ifndef HP_CMD_HPRUN_PROGRESS_H
#define HP_CMD_HPRUN_PROGRESS_H

/*
 * Prints messages and progress on standard error.  In a sort, progress counts
 * the bytes that pass through the steps.  In a job on numbered items, it counts
 * the items of finished steps.  On a terminal, progress is one line, cut to the
 * terminal's width, and messages overwrite that line.
 */

#include "run.h"

/*
 * Decides whether to show progress, and in which form.  This depends on
 * options, the environment and standard error.
 */
void progress_init(struct run *);
/* Computes the total work of the run.  Call this when the plan is known. */
void progress_measure(struct run *);
/*
 * progress_step adds a finished step to the progress.  progress_tick shows the
 * bytes that running steps have written so far, by rank.  The launcher calls
 * both with a struct run as the context.
 */
void progress_step(void *context, const struct step *);
/* Adds a batch that was sent or sorted to the progress. */
void progress_batch(struct run *, uint64_t bytes);
void progress_tick(void *context, const char *step, const uint64_t *wrote);
/* Prints "WHO: TEXT" on a line of its own, with control characters escaped. */
void progress_say(const struct run *, const char *who, const char *text);
/* Erases the progress line, so that another message can be printed. */
void progress_clear(const struct run *);
/*
 * Ends the progress if standard output, which now gets the result, is a
 * terminal: progress lines would stand between the records.
 */
void progress_give_way(struct run *);

#endif
