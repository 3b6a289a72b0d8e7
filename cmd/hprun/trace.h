#ifndef HP_CMD_HPRUN_TRACE_H
#define HP_CMD_HPRUN_TRACE_H

/*
 * --trace: when each step of each node began and ended, hp-trace(5), out of
 * the journal of the run.
 */

#include "run.h"

int trace_write(struct run *, struct hp_err *);

#endif
