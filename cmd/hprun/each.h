#ifndef HP_CMD_HPRUN_EACH_H
#define HP_CMD_HPRUN_EACH_H

/* `hprun --do each`: runs a command for each file. */

#include "unpack.h"

/*
 * Runs the user's command in the directory `tree`: `hprun --do each
 * COMMAND...`.  The names of the files are its last arguments, as many as fit.
 * If a word of the command contains `{file}`, it runs once for each file
 * instead.  If a command fails, exits with the same status, or by the same
 * signal.
 */
int each_do(char *words[], struct hp_err *);

#endif
