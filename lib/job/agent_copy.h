#ifndef HP_JOB_AGENT_COPY_H
#define HP_JOB_AGENT_COPY_H

/* Copies files to and from nodes. */

#include "job/agent_own.h"

enum action_state
copy_put(struct agent *, struct agent_step *, struct hp_err *why);
enum action_state
copy_get(struct agent *, struct agent_step *, struct hp_err *why);
/* Sends the launcher the next bytes of the file that a GET action reads. */
enum action_state
copy_pump(struct agent *, struct agent_step *, struct hp_err *why);

#endif
