#ifndef HP_CMD_HPRUN_ESTIMATE_H
#define HP_CMD_HPRUN_ESTIMATE_H

/*
 * --estimate and --use-fewer: plans the run before any host is logged in to.
 * The model is that of hp-plan(5), "The stages".
 */

#include "run.h"
#include "share/plan.h"

/*
 * --estimate prints the plan on standard output. --use-fewer leaves out the
 * nodes that get no records, or all nodes if this machine alone is faster. Both
 * fail with HP_INPUT if the input is not in regular files.
 */
int estimate(struct run *, struct hp_err *);

/*
 * Prints one line if fewer machines would be faster than the plan, or as fast.
 */
void estimate_advise(const struct run *, const struct plan *);

/* Tells whether the plan of this run may cover all stages. */
bool estimate_whole(const struct run *);

/*
 * The main function of `hprun --do size FILE COUNT`: prints the mean size of
 * the records of FILE in bytes; COUNT is the document with their number.
 */
int size_do(char *words[], struct hp_err *);

#endif
