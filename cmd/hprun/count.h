#ifndef HP_CMD_HPRUN_COUNT_H
#define HP_CMD_HPRUN_COUNT_H

/* The job on numbered items. */

#include "job.h"

int count_items(struct run *, struct hp_err *);

#endif
