#ifndef HP_JOB_LAUNCHER_OPEN_H
#define HP_JOB_LAUNCHER_OPEN_H

/* Opens the nodes of a machine. */

#include "job/launcher_own.h"

/*
 * Sets the state of a machine whose login has succeeded or failed for good. The
 * launcher no longer waits for the machine.
 */
void login_settle(struct launcher *, struct machine *, enum machine_state);
/* Asks the agent to open the directories of its nodes. */
int open_begin(struct launcher *, struct machine *, struct hp_err *why);
/*
 * Handles a message of a machine that is not ready yet. Sets *hello if it was
 * the first message of the agent.
 */
int open_hear(struct launcher *, struct machine *, struct wire_event *,
    bool *hello, struct hp_err *why);

#endif
