#ifndef HP_DOC_PLAN_H
#define HP_DOC_PLAN_H

/*
 * hp-plan(5): one share line a node, then one plan line.
 */

#include <stdio.h>

#include "base/err.h"
#include "share/plan.h"

/*
 * Reads a plan; "-" is standard input.  The shares must be those of ranks 0,
 * 1, ... in order, each offset the sum of the shares before, and the plan line
 * the last, with their number and sum.
 */
int doc_plan_read(const char *path, struct plan *, struct hp_err *);
/* Writes a share, and the plan line that ends them. */
int doc_share_write(FILE *, size_t rank, const struct share *, struct hp_err *);
int doc_plan_write(FILE *, const struct plan *, struct hp_err *);

/*
 * One line of a comparison: the plan line of hp-plan(5) with the type
 * "compare" and the member over, makespan/bound - 1.
 */
int doc_compare_write(FILE *, const struct plan *, struct hp_err *);

#endif
