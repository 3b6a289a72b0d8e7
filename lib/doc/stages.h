#ifndef HP_DOC_STAGES_H
#define HP_DOC_STAGES_H

/* Reads and writes the `stage` lines of hp-plan(5). */

#include "doc/lines.h"
#include "share/plan.h"

/*
 * Appends the stage that the current line describes to the plan. All shares of
 * the plan must have been read before.
 */
int doc_stage_read(const struct doc_in *, struct plan *, struct hp_err *);
int doc_stage_write(
    FILE *, const struct plan_stage *, size_t nodes, struct hp_err *);

#endif
