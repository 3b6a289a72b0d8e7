#ifndef HP_CMD_HPRUN_DO_H
#define HP_CMD_HPRUN_DO_H

/*
 * `hprun --do NAME WORD...` does a small step of a run that no other program
 * does, so that --dry-run can print it as a command.  It is not for users.
 */

#include "base/err.h"

/* Returns the exit status. */
int do_main(int argc, char *argv[]);

#endif
