#ifndef HP_CMD_HPRUN_PIVOTS_H
#define HP_CMD_HPRUN_PIVOTS_H

/*
 * The launcher chooses pivots among the candidates of all nodes.  The pivots
 * bound the sublists and are stored in sublists.jsonl.
 */

#include "run.h"

int choose_pivots(struct run *, struct hp_err *);
/*
 * Chooses pivots until they are exact.  `count` counts the records before the
 * candidates.  If all records are candidates, `count` is not called.  After
 * each inexact choice, `narrow` finds better candidates and counts, too.
 */
int until_exact(struct run *, int (*count)(struct run *, struct hp_err *),
    int (*narrow)(struct run *, struct hp_err *), struct hp_err *);
/* Renames the file to sublists.jsonl. */
int adopt_sublists(struct run *, const char *file, struct hp_err *);

#endif
