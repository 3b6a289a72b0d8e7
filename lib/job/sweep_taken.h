#ifndef HP_JOB_SWEEP_TAKEN_H
#define HP_JOB_SWEEP_TAKEN_H

/* Sweeps directories that no process has locked. */

#include "job/sweep.h"

/*
 * Tidies up a directory that no other process has locked: calls sweep_keep if
 * `keep` is set, else sweep_remove. `worker` means that a process of the
 * caller's own run holds the lock (guard.h).
 */
void sweep_unless_taken(const char *path, bool keep, bool worker);

#endif
