#ifndef HP_JOB_AGENT_RUN_H
#define HP_JOB_AGENT_RUN_H

/* Runs commands. */

#include "job/agent_own.h"

enum action_state
run_begin(struct agent *, struct agent_step *, struct hp_err *why);
/* Handles the end of a command or of a copy in a child process. */
enum action_state
run_ended(struct agent *, struct agent_step *, struct hp_err *why);
/*
 * Reads the standard output of the step's command and sends it to the launcher.
 */
int run_put(struct agent *, struct agent_step *, struct hp_err *);
/* Watches the child of the step. */
int run_watch(struct agent *, struct agent_step *, struct hp_err *);

#endif
