#ifndef HP_CMD_HPRUN_RSH_H
#define HP_CMD_HPRUN_RSH_H

/* The command of --rsh, by which hosts are reached. */

#include "run.h"

/* run.rsh: of the option, or ssh with options that make it fail, not wait. */
int rsh_choose(struct run *, struct hp_err *);
/* Fails now if its program is not there, not at the first login. */
int rsh_check(const struct run *, struct hp_err *);

#endif
