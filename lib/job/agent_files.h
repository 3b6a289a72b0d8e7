#ifndef HP_JOB_AGENT_FILES_H
#define HP_JOB_AGENT_FILES_H

/*
 * Actions of a step that change files without copying them: remove, rename,
 * make FIFOs, and similar.
 */

#include "job/agent_own.h"

enum action_state
files_begin(struct agent *, struct agent_step *, struct hp_err *why);

#endif
