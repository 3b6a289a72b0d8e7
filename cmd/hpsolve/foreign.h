#ifndef HP_CMD_HPSOLVE_FOREIGN_H
#define HP_CMD_HPSOLVE_FOREIGN_H

/* Plans as other launchers read them: hpsolve --format. */

#include <stdio.h>

#include "share/answer.h"
#include "share/cluster.h"

struct foreign_format;

/* Finds the format of that name; HP_USAGE if there is none. */
int
foreign_parse(const char *, const struct foreign_format **, struct hp_err *);

/*
 * Writes the plan. Fails with HP_INPUT if the format cannot express the name of
 * a host.
 */
int foreign_write(FILE *, const struct foreign_format *, const struct cluster *,
    const struct answer *, struct hp_err *);

#endif
