#ifndef HP_CMD_HPRUN_TRACE_H
#define HP_CMD_HPRUN_TRACE_H

/*
 * Implements --trace: writes the start and the end of each step, which are in
 * the journal, as hp-trace(5).
 */

#include "run.h"

int trace_write(struct run *, struct hp_err *);
/* Appends the trace of this run to a file. */
int trace_append(struct run *, const char *path, struct hp_err *);

#endif
