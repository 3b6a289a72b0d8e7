#ifndef HP_CMD_HPRUN_ESTIMATE_JOB_H
#define HP_CMD_HPRUN_ESTIMATE_JOB_H

/* Plans a job for --estimate.  The plan of a job has only one stage, `run`. */

#include "scratch.h"
#include "share/plan.h"

/*
 * Adds the number of items of the job, their weights and their cost to the
 * words of the hpsolve command.
 *   sizes  receives the sizes of the files, for --files
 */
int estimate_job_words(
    struct run *, struct words *, struct scratch *sizes, struct hp_err *);
/*
 * Prints the plan of a job.  Inserts the line of its stage before the last
 * line, as in a plan of a sort.
 */
int estimate_job_print(
    const struct scratch *, const struct plan *, struct hp_err *);

#endif
