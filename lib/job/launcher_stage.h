#ifndef HP_JOB_LAUNCHER_STAGE_H
#define HP_JOB_LAUNCHER_STAGE_H

/* Runs a stage. */

#include "job/launcher.h"

/*
 * Runs a stage to its end.  Steps in the journal are skipped unless the stage
 * is `passing`; their answers and sizes come from the journal.  A failed step
 * may be retried (retry.h).  If the stage fails, all steps of all machines have
 * ended when this returns.
 *
 * Returns 0, or -1 with an error text for the user.  The outcome then tells
 * what to do next; its `lost` is valid until the next call.
 */
int launcher_stage(
    struct launcher *, struct stage *, struct outcome *, struct hp_err *);

#endif
