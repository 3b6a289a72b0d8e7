#ifndef HP_JOB_AGENT_LOCK_H
#define HP_JOB_AGENT_LOCK_H

/*
 * Only one agent at a time uses a node's directory.  It locks the file `lock`
 * there (fcntl(2)).  The lock names its holder and ends with the process.
 */

#include "job/agent_own.h"

/*
 * Makes the directory and locks it.
 *   again  the directory may exist; an agent that holds its lock is ended.
 *          SIGTERM lets it clean up, SIGKILL follows 5 seconds later.
 * Returns the descriptor that holds the lock, or -1 with an error text for the
 * user.
 */
int
lock_directory(struct agent *, const char *dir, bool again, struct hp_err *);

#endif
