#ifndef HP_CMD_HPRUN_JUDGE_H
#define HP_CMD_HPRUN_JUDGE_H

/*
 * Which nodes a run does without after an exchange has failed: what the nodes
 * report of each other (job/votes.h) tells.
 */

#include "run.h"

#define REPORT "report" /* of hpexchange, in the node's directory */

/* job_config.judge; the context is the run. */
enum judgement judge_exchange(void *context, struct launcher *,
    const struct stage *, bool last, struct outcome *);

#endif
