#ifndef HP_CMD_HPSOLVE_FOREIGN_H
#define HP_CMD_HPSOLVE_FOREIGN_H

/* hpsolve --format: writes plans in formats that other launchers read. */

#include <stdio.h>

#include "share/answer.h"
#include "share/cluster.h"

struct foreign_format;

/* Finds the format with that name.  Fails with HP_USAGE if there is none. */
int
foreign_parse(const char *, const struct foreign_format **, struct hp_err *);

/*
 * Writes the plan in a foreign format.  Fails with HP_INPUT if the name of a
 * host contains characters that the format cannot express.
 */
int foreign_write(FILE *, const struct foreign_format *, const struct cluster *,
    const struct answer *, struct hp_err *);

#endif
