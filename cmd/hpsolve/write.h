#ifndef HP_CMD_HPSOLVE_WRITE_H
#define HP_CMD_HPSOLVE_WRITE_H

/* Writes plans on standard output. */

#include <stdio.h>

#include "model.h"
#include "share/answer.h"

/*
 * Writes the last line of a plan: the totals, and the cost and options from
 * which the times were computed.
 */
int write_total(const struct model *, const struct answer *, const char *method,
    int (*put)(FILE *, const struct plan *, struct hp_err *), struct hp_err *);
/* Writes the shares, the stages and the last line of a plan. */
int write_plan(const struct model *, const struct answer *, const char *method,
    struct hp_err *);
/* Prints one line for each plan on the front of time and energy. */
int write_front(const struct problem *, struct hp_err *);

#endif
