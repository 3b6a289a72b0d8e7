#ifndef HP_CMD_HPRUN_ESTIMATE_JOB_H
#define HP_CMD_HPRUN_ESTIMATE_JOB_H

/* --estimate for a job: the plan of its items, whose only stage is `run`. */

#include "scratch.h"
#include "share/plan.h"

/*
 * Adds the items of the job and what they cost to the words of hpsolve.
 *   sizes  receives the sizes of the files, for --files
 */
int estimate_job_words(
    struct run *, struct words *, struct scratch *sizes, struct hp_err *);
/*
 * Prints the plan in the file. The stage is before the last line, where the
 * stages of a sort are.
 */
int estimate_job_print(
    const struct scratch *, const struct plan *, struct hp_err *);

#endif
