#ifndef HP_CMD_HPRUN_ROOM_H
#define HP_CMD_HPRUN_ROOM_H

/* Checks before the run that the disks have enough free space. */

#include "run.h"

/*
 * Prints a message for each place without enough space, then fails.  The size
 * of a pipe is unknown at first, so it is checked once it is `stored`.
 */
int room_check(struct run *, bool stored, struct hp_err *);

#endif
