#ifndef HP_DOC_PLAN_H
#define HP_DOC_PLAN_H

/* Reads and writes hp-plan(5): one share line per node, then one plan line. */

#include <stdio.h>

#include "base/err.h"
#include "share/plan.h"

/*
 * Reads a plan; "-" is standard input. The shares must have the ranks 0, 1, ...
 * in order. The offset of each share must be the sum of the shares before it.
 * The plan line comes last and must have the number and the sum of the shares.
 */
int doc_plan_read(const char *path, struct plan *, struct hp_err *);
/*
 * doc_share_write writes one share line. doc_plan_write writes the plan line,
 * which follows all share lines.
 */
int doc_share_write(FILE *, size_t rank, const struct share *, struct hp_err *);
int doc_plan_write(FILE *, const struct plan *, struct hp_err *);

/*
 * Writes one line that compares plans. It is the plan line of hp-plan(5), but
 * has the type "compare" and the member over = makespan/bound - 1.
 */
int doc_compare_write(FILE *, const struct plan *, struct hp_err *);

#endif
