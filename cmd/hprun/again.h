#ifndef HP_CMD_HPRUN_AGAIN_H
#define HP_CMD_HPRUN_AGAIN_H

/*
 * Whether a run that has failed begins again: with all of its nodes if only a
 * connection broke, else without those that were lost.
 */

#include "run.h"

/*
 * true: it has been said, noted, and the journal has only what needs not be
 * done again.
 */
bool again(struct run *, struct hp_err *);

#endif
