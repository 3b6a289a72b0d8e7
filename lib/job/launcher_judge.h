#ifndef HP_JOB_LAUNCHER_JUDGE_H
#define HP_JOB_LAUNCHER_JUDGE_H

/* Decides which nodes to drop after a failed stage. */

#include "job/launcher_own.h"

/*
 * Decides what to do after a failed stage whose steps have ended.  Fills the
 * outcome except `kind`, `rank`, `step` and `code`.
 */
enum judgement
judge_stage(struct launcher *, const struct retry_facts *, struct outcome *);
/*
 * Lists in the outcome which nodes the run could do without: the nodes of lost
 * machines, or else the node whose step failed.
 */
void
name_the_lost(struct launcher *, const struct retry_facts *, struct outcome *);

#endif
