#ifndef HP_JOB_LAUNCHER_NOTE_H
#define HP_JOB_LAUNCHER_NOTE_H

/* Notes in the journal which steps were done. */

#include "job/launcher_own.h"

/* Notes that a step has succeeded. */
void note_step(struct launcher *, const struct task *);
/* Notes the time at which the input of a step was completely sent. */
void note_sent(struct launcher *, struct task *);
/*
 * Notes the time at which the command had taken its input. The journal has this
 * time as the end of the transfer, because an agent holds bytes that the
 * command has not taken.
 */
void note_taken(struct task *);

#endif
