#ifndef HP_JOB_AGENT_LOCK_H
#define HP_JOB_AGENT_LOCK_H

/*
 * A directory of a node is of one agent at a time: its file `lock` is locked
 * (fcntl(2)), which tells who has it, and ends with the process, whatever ends
 * that.
 */

#include "job/agent_own.h"

/*
 * Makes the directory and locks it.  again: it may be there; an agent that has
 * it is ended first: SIGTERM, on which it kills its steps and cleans up, and
 * SIGKILL 5 seconds later.  Returns the descriptor that holds the lock; -1: the
 * text of the error is for the user.
 */
int
lock_directory(struct agent *, const char *dir, bool again, struct hp_err *);

#endif
