#ifndef HP_JOB_AGENT_WROTE_H
#define HP_JOB_AGENT_WROTE_H

/* Counts the bytes that commands have written. */

#include "job/agent_own.h"

/*
 * Returns the number of bytes that a process and its descendants have written.
 */
uint64_t wrote_by(pid_t);
int wrote_tell(struct agent *, struct hp_err *);

#endif
