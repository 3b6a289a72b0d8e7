#ifndef HP_JOB_SWEEP_H
#define HP_JOB_SWEEP_H

/*
 * Takes away what a process leaves behind: its descendants, and directories
 * into which some of them may still write.
 */

#include "base/err.h"

/*
 * Kills every descendant of this process, which must be their subreaper
 * (prctl(2)), and waits for their ends.  A process that does not end within 10
 * seconds, as its file system hangs, is left.
 */
void sweep_descendants(void);
/*
 * Removes a file, or a directory with all that is in it; one that is missing is
 * no error.  Tries for 10 seconds while new files appear.
 */
int sweep_remove(const char *path, struct hp_err *);
/*
 * Removes from a directory what nobody can use any more: FIFOs and sockets at
 * any depth, and the files `key` and `lock` in it.
 */
int sweep_keep(const char *path, struct hp_err *);

#endif
