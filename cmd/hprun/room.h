#ifndef HP_CMD_HPRUN_ROOM_H
#define HP_CMD_HPRUN_ROOM_H

/* Checks that the disks have enough free space before the sort begins. */

#include "run.h"

/*
 * Prints a message for each directory whose disk has too little free space,
 * then fails.  The size of input from a pipe is unknown at first, so hprun
 * calls this again with `stored` when the input is in a file.
 */
int room_check(struct run *, bool stored, struct hp_err *);

/*
 * Returns whether the launcher has space for the copy of the input that the
 * method range needs, beside the result.  Call this in the work directory.
 */
bool room_for_range(struct run *);

#endif
