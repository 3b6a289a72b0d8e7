#ifndef HP_JOB_AGENT_STEP_H
#define HP_JOB_AGENT_STEP_H

/* Runs the actions of steps. */

#include "job/agent_own.h"

/* Starts a step. Takes the message. */
int step_start(struct agent *, struct message *, struct hp_err *);
/*
 * Continues a step after its current action has reached the given state.
 * Returns when the step must wait for an action or has ended.
 */
int step_go_on(struct agent *, struct agent_step *, enum action_state,
    struct hp_err *why, struct hp_err *);
/*
 * Handles data of a stream from the launcher. 0 bytes mean the end of the
 * stream.
 */
int step_data(
    struct agent *, uint32_t stream, const void *, size_t, struct hp_err *);
/*
 * Ends the step of this number early: kills its command. Does nothing if the
 * step has ended. Fails if no step has had the number.
 */
int step_cancel(struct agent *, uint64_t id, struct hp_err *);
/* Kills the commands of all steps. */
void step_stop_all(struct agent *);
/* Frees the steps that have ended. */
void step_sweep(struct agent *);

#endif
