#ifndef HP_CMD_HPRUN_MAP_H
#define HP_CMD_HPRUN_MAP_H

/* The job on records. */

#include "job.h"

int map_records(struct run *, struct hp_err *);

#endif
