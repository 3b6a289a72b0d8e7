#ifndef HP_CMD_HPRUN_JUDGE_H
#define HP_CMD_HPRUN_JUDGE_H

/*
 * Decides which nodes to leave out after a failed exchange.  The decision
 * follows from the reports of the nodes about each other (job/votes.h).
 */

#include "run.h"

#define REPORT "report" /* file of hpexchange --report on each node */

/*
 * Judges a failed stage.  The launcher calls it as job_config.judge, with the
 * run as context.
 */
enum judgement judge_exchange(void *context, struct launcher *,
    const struct stage *, bool last, struct outcome *);

#endif
