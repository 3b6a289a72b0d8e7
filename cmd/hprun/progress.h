#ifndef HP_CMD_HPRUN_PROGRESS_H
#define HP_CMD_HPRUN_PROGRESS_H

/*
 * What hprun says on standard error: messages, and the progress of a run in
 * bytes that go through a step.  On a terminal the progress is one line, no
 * longer than that is wide, and messages go over it.
 */

#include "run.h"

/* Looks at the options, the environment and standard error. */
void progress_init(struct run *);
/* The work is planned: what there is to do. */
void progress_measure(struct run *);
/* A step has ended; the bytes that steps under way have written so far. */
void progress_step(struct run *, const struct step *);
void progress_tick(struct run *, const char *step, const uint64_t *wrote);
/* "WHO: TEXT" on a line of its own, control characters escaped. */
void progress_say(const struct run *, const char *who, const char *text);
/* Erases the line, if there is one. */
void progress_clear(const struct run *);

#endif
