#ifndef HP_CMD_HPRUN_TRACE_H
#define HP_CMD_HPRUN_TRACE_H

/* --trace: writes start and end of each step, hp-trace(5), from the journal. */

#include "run.h"

int trace_write(struct run *, struct hp_err *);
/* Appends the trace of the run to another file. */
int trace_append(struct run *, const char *path, struct hp_err *);

#endif
