#ifndef HP_CMD_HPRUN_METHODS_H
#define HP_CMD_HPRUN_METHODS_H

/*
 * The algorithms of -a.  At the start, every node has its part of the input.
 * At the end, its part of the result is in the file that result_file names.
 */

#include "run.h"

int exact(struct run *, struct hp_err *);
int psrs(struct run *, struct hp_err *);
int pss(struct run *, struct hp_err *);
int psop(struct run *, struct hp_err *);
int range(struct run *, struct hp_err *);

/*
 * Find the pivots of sorted parts, and write them to sublists.jsonl: the second
 * part of exact and of psrs.
 */
int exact_search(struct run *, struct hp_err *);
int psrs_search(struct run *, struct hp_err *);

#endif
