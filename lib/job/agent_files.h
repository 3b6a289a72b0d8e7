#ifndef HP_JOB_AGENT_FILES_H
#define HP_JOB_AGENT_FILES_H

/*
 * Carries out those actions of a step that change files without copying data,
 * such as remove and rename.
 */

#include "job/agent_own.h"

enum action_state
files_begin(struct agent *, struct agent_step *, struct hp_err *why);

#endif
