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

/* Appends the stages of a whole run to the plan, if the answer is for one. */
int answer_stages(const struct answer *, struct plan *, struct hp_err *);

#endif
