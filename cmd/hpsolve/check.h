#ifndef HP_CMD_HPSOLVE_CHECK_H
#define HP_CMD_HPSOLVE_CHECK_H

/* hpsolve --check: checks whether an existing plan is optimal. */

#include "model.h"
#include "share/answer.h"

/* Reads the plan of --check.  Fails if the plan was made with --weights. */
int check_read(const struct opts *, struct plan *, struct hp_err *);
/*
 * Prints the plan with its proof.  Fails with HP_NO and the reason if the plan
 * is not optimal, or was made for other nodes or costs.
 */
int check_plan(const struct opts *, const struct model *, struct problem *,
    const struct plan *, struct hp_err *);

#endif
