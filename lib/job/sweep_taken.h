#ifndef HP_JOB_SWEEP_TAKEN_H
#define HP_JOB_SWEEP_TAKEN_H

/* Sweeps directories that no process has locked. */

#include "job/sweep.h"

/*
 * Calls sweep_keep if `keep` is set, and sweep_remove if not. Does nothing if
 * another process has taken over the directory.
 *   worker  the caller's run holds the lock of the directory (guard.h)
 */
void sweep_unless_taken(const char *path, bool keep, bool worker);

#endif
