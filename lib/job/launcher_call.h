#ifndef HP_JOB_LAUNCHER_CALL_H
#define HP_JOB_LAUNCHER_CALL_H

/* Starts agents that call the launcher. */

#include "job/launcher_own.h"

/*
 * Starts srun commands on behalf of all machines that are reached with srun and
 * whose agents were not started yet. These commands start the agents.
 */
void calls_start(struct launcher *);
/*
 * Handles a readable descriptor: of srun, of the listener, or of a connection
 * that has not proven yet that it knows the key. Returns false for any other
 * descriptor.
 */
bool calls_hear(struct launcher *, int fd);
/*
 * Calls `refused` for each machine whose agent has not connected although the
 * srun that should start it has ended.
 */
void calls_tick(struct launcher *,
    void (*refused)(struct launcher *, struct machine *, int code));
/* Counts the processes of srun that still run. */
size_t calls_left(struct launcher *);
bool calls_is_srun(const struct launcher *, pid_t);
/* Kills the srun processes that still run, and closes the listener. */
void calls_fini(struct launcher *);

#endif
