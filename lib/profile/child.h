#ifndef HP_PROFILE_CHILD_H
#define HP_PROFILE_CHILD_H

/* Runs another program and measures its time. */

#include "base/err.h"

/*
 * Runs argv, which ends with NULL and is searched in PATH, with standard output
 * to the descriptor `out`. Descriptors above standard error are inherited
 * unless they are close-on-exec. Returns 1 and the seconds from before the fork
 * to the exit if the exit status is 0. Returns 0 with a message if the program
 * failed. Returns -1 if it could not be started. Also returns -1 if SIGINT or
 * SIGTERM killed it, as these are meant for us, too.
 */
int child_run(char *const argv[], int out, double *seconds, struct hp_err *);

#endif
