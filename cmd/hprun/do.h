#ifndef HP_CMD_HPRUN_DO_H
#define HP_CMD_HPRUN_DO_H

/*
 * Small steps of hprun that no other program does: `hprun --do NAME WORD...`.
 * As commands, they can be printed by --dry-run.  Users need not call them.
 */

#include "base/err.h"

/* Runs the step that argv names.  Returns the exit status. */
int do_main(int argc, char *argv[]);

#endif
