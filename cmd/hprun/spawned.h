#ifndef HP_CMD_HPRUN_SPAWNED_H
#define HP_CMD_HPRUN_SPAWNED_H

/* Runs a command and waits for its end. */

#include "base/err.h"

/*
 * Runs the command and stores its status in the form of wait(2).  PATH finds
 * the program words[0].  If there is no such program, or if it cannot be
 * executed, prints a message and exits with the status 127 or 126.
 */
int spawned_run(char *const words[], int *status, struct hp_err *);
/*
 * Ends this process with the exit status or the signal of a command.  Returns
 * if the command has succeeded.
 */
void spawned_end_like(int status);

#endif
