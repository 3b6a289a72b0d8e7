#ifndef HP_CMD_HPRUN_METHODS_H
#define HP_CMD_HPRUN_METHODS_H

/*
 * The methods of -a: each begins with every node's part of the input in its
 * place, and ends with its part of the result in run_result.
 */

#include "run.h"

int exact(struct run *, struct hp_err *);
int psrs(struct run *, struct hp_err *);
int pss(struct run *, struct hp_err *);
int psop(struct run *, struct hp_err *);

#endif
