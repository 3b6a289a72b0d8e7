#ifndef HP_CMD_HPRUN_PROGRESS_H
#define HP_CMD_HPRUN_PROGRESS_H

/*
 * Messages and progress on standard error. In a sort, progress counts the bytes
 * that pass through the steps. In a job on numbered items, it counts the items
 * of the steps that are done. A terminal shows it as one line, cut to the
 * terminal's width, and messages overwrite that line.
 */

#include "run.h"

/* Decides, by options, environment and standard error, what to show. */
void progress_init(struct run *);
/* Computes the total work; called when the plan is known. */
void progress_measure(struct run *);
/*
 * progress_step counts a step that has ended.  progress_tick shows the bytes
 * that running steps have written so far, by rank.
 */
void progress_step(struct run *, const struct step *);
/* Counts a batch of so many bytes, which was sent or sorted. */
void progress_batch(struct run *, uint64_t bytes);
void progress_tick(struct run *, const char *step, const uint64_t *wrote);
/* Prints "WHO: TEXT" on its own line with control characters escaped. */
void progress_say(const struct run *, const char *who, const char *text);
/* Erases the progress line on a terminal. */
void progress_clear(const struct run *);

#endif
