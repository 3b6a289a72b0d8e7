#ifndef HP_JOB_SWEEP_TAKEN_H
#define HP_JOB_SWEEP_TAKEN_H

/* Sweeps directories that no process has locked. */

#include "job/sweep.h"

/*
 * Cleans up a directory, unless another process holds a lock on it: calls
 * sweep_keep if `keep` is set, else sweep_remove. If `worker` is set, ignores
 * the lock on the directory itself, which a process of the caller's own run
 * holds (guard.h). Returns -1 if something could not be removed.
 */
int sweep_unless_taken(const char *path, bool keep, bool worker);

#endif
