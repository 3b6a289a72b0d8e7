#ifndef HP_CMD_HPRUN_RSH_H
#define HP_CMD_HPRUN_RSH_H

/* The command of --rsh, by which hosts are reached. */

#include "run.h"

/* run.rsh: of the option, or ssh with options that make it fail, not wait. */
int rsh_choose(struct run *, struct hp_err *);
/*
 * Fails if its program is named by a relative path, or is needed and not
 * there: now, and not at the first login.
 */
int rsh_check(const struct run *, struct hp_err *);

#endif
