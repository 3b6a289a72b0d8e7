#ifndef HP_CMD_HPRUN_UNTIL_H
#define HP_CMD_HPRUN_UNTIL_H

/* `hprun --do until`: a command that may not end after its work is done. */

#include "base/err.h"

/* What a process prints when it has done its work. */
#define UNTIL_DONE "done"

/*
 * Runs a command, and passes on the lines that it prints: `hprun --do until
 * PROCESSES PAUSE COMMAND...`.  When so many lines are UNTIL_DONE, which are
 * not passed on, the command has PAUSE milliseconds to exit.  Then it is killed
 * and counts as successful.
 */
int until_do(char *words[], struct hp_err *);

#endif
