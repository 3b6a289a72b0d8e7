#ifndef HP_JOB_AGENT_FILES_H
#define HP_JOB_AGENT_FILES_H

/* The other actions on files, such as to remove them. */

#include "job/agent_own.h"

enum action_state
files_begin(struct agent *, struct agent_step *, struct hp_err *why);

#endif
