#ifndef HP_SHARE_STAGED_H
#define HP_SHARE_STAGED_H

/* Answers for whole runs: stages.h. */

#include "share/answer.h"

/*
 * Proves how near to the optimum the plan of a whole run is. `bound` is a
 * proven lower bound of the makespan of all plans, or 0 if this function must
 * compute one.
 */
int staged_prove(
    const struct problem *, double bound, struct answer *, struct hp_err *);

/*
 * If the answer is for a whole run (with sending, merging and so on), adds the
 * stages of the run to the plan.
 */
int answer_stages(const struct answer *, struct plan *, struct hp_err *);

#endif
