#ifndef HP_CMD_HPRUN_UNTIL_H
#define HP_CMD_HPRUN_UNTIL_H

/* `hprun --do until`: a command that may not end after its work is done. */

#include "base/err.h"

/* What a process prints when it has done its work. */
#define UNTIL_DONE "done"

/*
 * Runs a command: `hprun --do until PROCESSES PAUSE COMMAND...`.  Passes on the
 * lines that the command prints, except the lines UNTIL_DONE.  After PROCESSES
 * lines UNTIL_DONE, the command has PAUSE milliseconds to exit.  If it is still
 * running then, it is killed and counts as successful.
 */
int until_do(char *words[], struct hp_err *);

#endif
