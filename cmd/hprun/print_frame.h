#ifndef HP_CMD_HPRUN_PRINT_FRAME_H
#define HP_CMD_HPRUN_PRINT_FRAME_H

/* Prints the beginning and the end of the commands of --dry-run. */

#include "print.h"

/*
 * Print the commands that make the directories at the start, and those that
 * remove them at the end.
 */
int print_begin(struct run *, struct hp_err *);
int print_end(struct run *, struct hp_err *);

#endif
