#ifndef HP_CMD_HPRUN_ESTIMATE_H
#define HP_CMD_HPRUN_ESTIMATE_H

/*
 * Plans the run before hprun logs in to any host.  "The stages" in hp-plan(5)
 * describes the model.
 */

#include "run.h"
#include "share/plan.h"

/*
 * Returns whether to call `estimate` for this run: for --estimate and
 * --use-fewer, and if the plan covers all stages.
 */
bool estimate_is_due(const struct run *);

/*
 * Chooses the faster one of the methods exact and range, if -a names none and
 * the plans cover all stages of both.
 *
 * With --estimate, prints the plan on standard output.  Otherwise leaves out
 * the nodes that get no records.  With --use-fewer, leaves out all nodes if
 * this machine alone is faster.  Both options fail with HP_INPUT if an input is
 * not a regular file.
 */
int estimate(struct run *, struct hp_err *);

/*
 * Prints one line if this machine alone would sort faster, or if --estimate has
 * found nodes that get no records.
 */
void estimate_advise(const struct run *, const struct plan *);

/*
 * Returns whether the plan may cover all stages, from sending the input to
 * gathering the result.
 */
bool estimate_whole(const struct run *);

/*
 * Prints the mean size of a file's records in bytes: `hprun --do size FILE
 * COUNT`.  COUNT is the document with the number of records.
 */
int size_do(char *words[], struct hp_err *);

#endif
