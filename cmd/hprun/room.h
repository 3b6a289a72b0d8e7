#ifndef HP_CMD_HPRUN_ROOM_H
#define HP_CMD_HPRUN_ROOM_H

/*
 * Whether the disks have room for the run, before it begins.
 */

#include "run.h"

/*
 * Fails after a message for each place that lacks room.  What comes from a pipe
 * is only known once it is `stored`.
 */
int room_check(struct run *, bool stored, struct hp_err *);

#endif
