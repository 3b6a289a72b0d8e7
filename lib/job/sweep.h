#ifndef HP_JOB_SWEEP_H
#define HP_JOB_SWEEP_H

/*
 * Cleans up after other processes: kills descendants, and removes directories
 * into which descendants may still write.
 */

#include <stdbool.h>

#include "base/err.h"

/*
 * Kills all descendants of this process, and waits until they have ended. The
 * process must be their subreaper (prctl(2)). Gives up after 10 seconds, for
 * example if a process hangs in a file system.
 */
void sweep_descendants(void);
/*
 * Removes a file or a directory tree; a missing one is no error.  Retries for
 * 10 seconds while new files appear. The caller must own the directory
 * (job/dirlock.h). Succeeds without removing anything more if another process
 * takes the directory over meanwhile.
 */
int sweep_remove(const char *path, struct hp_err *);
/*
 * Like sweep_remove, but calls `pulse` before each entry, so that the caller
 * can show that it is alive. The removal of many files may take minutes.
 */
int sweep_remove_pulsing(const char *path, void (*pulse)(void *context),
    void *context, struct hp_err *);
/*
 * Removes files that no later run can use: FIFOs and sockets at any depth, and
 * the files `key` and `lock` in the directory itself.
 */
int sweep_keep(const char *path, struct hp_err *);

#endif
