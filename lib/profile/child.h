#ifndef HP_PROFILE_CHILD_H
#define HP_PROFILE_CHILD_H

/* Runs another program and measures its time. */

#include "base/err.h"

/*
 * Runs argv, which ends with NULL, and finds the program in PATH. Its standard
 * output goes to the descriptor `out`. It inherits descriptors above standard
 * error unless they are close-on-exec.
 *   1   the exit status is 0; stores the seconds from before the fork to
 *       the exit
 *   0   the program failed; stores a message
 *   -1  it could not be started, or SIGINT or SIGTERM killed it: the user
 *       sends these to stop this program as well
 */
int child_run(char *const argv[], int out, double *seconds, struct hp_err *);

#endif
