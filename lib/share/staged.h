#ifndef HP_SHARE_STAGED_H
#define HP_SHARE_STAGED_H

/* Answers for whole runs: stages.h. */

#include "share/answer.h"

/*
 * Proves the shares of a whole run. `bound` is a proven lower bound of all
 * makespans, or 0 if it must be computed.
 */
int staged_prove(
    const struct problem *, double bound, struct answer *, struct hp_err *);

/* Appends the stages to the plan, if the answer is for a whole run. */
int answer_stages(const struct answer *, struct plan *, struct hp_err *);

#endif
