#ifndef HP_JOB_AGENT_CHECK_H
#define HP_JOB_AGENT_CHECK_H

/* Checks the steps that the launcher sends. */

#include "job/agent_own.h"

/* Fails with HP_INPUT if an action is invalid. */
int agent_check(const struct agent *, const struct message *, struct hp_err *);

#endif
