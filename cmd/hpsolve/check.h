#ifndef HP_CMD_HPSOLVE_CHECK_H
#define HP_CMD_HPSOLVE_CHECK_H

/* hpsolve --check: certifies an existing plan. */

#include "model.h"
#include "share/answer.h"

/* Reads the plan of --check.  A plan by weights is refused. */
int check_read(const struct opts *, struct plan *, struct hp_err *);
/*
 * Prints the plan with its proof.  Fails with HP_NO and the reason if it is not
 * optimal or not for these nodes.
 */
int check_plan(const struct opts *, const struct model *, struct problem *,
    const struct plan *, struct hp_err *);

#endif
