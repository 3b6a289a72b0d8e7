#ifndef HP_CMD_HPRUN_SPAWNED_H
#define HP_CMD_HPRUN_SPAWNED_H

/* Runs a command and waits for its end. */

#include "base/err.h"

/*
 * Searches PATH for the program words[0], runs it, and stores its status in the
 * form of wait(2).  If there is no such program, prints a message and ends this
 * process with status 127; with status 126 if it cannot be executed.
 */
int spawned_run(char *const words[], int *status, struct hp_err *);
/*
 * Ends this process with the exit status or the signal of a command.  Returns
 * if the command has succeeded.
 */
void spawned_end_like(int status);

#endif
