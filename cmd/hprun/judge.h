#ifndef HP_CMD_HPRUN_JUDGE_H
#define HP_CMD_HPRUN_JUDGE_H

/*
 * Decides, after a failed exchange, which nodes to leave out.  The decision
 * follows from what the nodes report about each other (job/votes.h).
 */

#include "run.h"

#define REPORT "report" /* hpexchange --report, on the node */

/* The callback job_config.judge; its context is the run. */
enum judgement judge_exchange(void *context, struct launcher *,
    const struct stage *, bool last, struct outcome *);

#endif
