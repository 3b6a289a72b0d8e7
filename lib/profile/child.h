#ifndef HP_PROFILE_CHILD_H
#define HP_PROFILE_CHILD_H

/*
 * Another program's run, and how long it took.
 */

#include "base/err.h"

/*
 * Runs argv, which ends with NULL, found in PATH, with standard output to the
 * descriptor out.  Its descriptors above standard error are those without
 * close-on-exec.  Returns 1 and the seconds from before the fork until it has
 * ended, when its status is 0; 0, and how, when it failed; -1 when it could not
 * be run, or was ended by SIGINT or SIGTERM, which are for us too.
 */
int child_run(char *const argv[], int out, double *seconds, struct hp_err *);

#endif
