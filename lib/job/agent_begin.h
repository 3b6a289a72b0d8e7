#ifndef HP_JOB_AGENT_BEGIN_H
#define HP_JOB_AGENT_BEGIN_H

/* Starts the agent, before the event loop. */

#include "job/agent_own.h"

/* After a failure of this function, the struct can still be cleaned up. */
int agent_begin(struct agent *, const struct agent_config *, struct hp_err *);

#endif
