#ifndef HP_JOB_AGENT_SAID_H
#define HP_JOB_AGENT_SAID_H

/* Reports what commands write to standard error. */

#include "job/agent_own.h"

int said_read(struct agent *, struct agent_step *, struct hp_err *);
/* Reports a line of the agent itself. */
int
said_line(struct agent *, struct agent_step *, const char *, struct hp_err *);
/*
 * Reads what a command left in its pipe when it ended, including an incomplete
 * line.
 */
int said_end(struct agent *, struct agent_step *, struct hp_err *);
/*
 * Reports how many output lines of the command were not sent to the launcher,
 * because there were more than AGENT_LINES. Does nothing if all were sent.
 */
int said_dropped(struct agent *, struct agent_step *, struct hp_err *);

#endif
