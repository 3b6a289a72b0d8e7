#ifndef HP_CMD_HPRUN_PRINT_H
#define HP_CMD_HPRUN_PRINT_H

/*
 * Implements --dry-run, which prints the commands of a run as a POSIX shell
 * script.  Stages are printed in the order in which they would run.  Work that
 * hprun does itself between stages is printed as a call of `hprun --do` (do.h).
 */

#include "run.h"

/*
 * In the script, print_started records the process of the last background
 * command, and print_join waits for all recorded processes.
 */
void print_started(void);
void print_join(void);

int print_stage(struct run *, const struct stage *, struct hp_err *);
/*
 * Prints the command of a stage that has only one step.  The caller ends the
 * line.
 */
int print_bare(struct run *, const struct stage *, struct hp_err *);

#endif
