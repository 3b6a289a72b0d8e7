#ifndef HP_JOB_AGENT_LOCK_H
#define HP_JOB_AGENT_LOCK_H

/*
 * Lets only one agent at a time use a node's directory, by its lock
 * (job/dirlock.h).
 */

#include "job/agent_own.h"

/*
 * Makes the directory and locks it.
 *   again  the directory may exist
 * If `again` is set, an agent that still holds the lock is ended. It gets
 * SIGTERM, so that it can clean up, and SIGKILL 5 seconds later. Returns the
 * descriptor that holds the lock, or -1 with an error text for the user.
 */
int
lock_directory(struct agent *, const char *dir, bool again, struct hp_err *);

#endif
