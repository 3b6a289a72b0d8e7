#ifndef HP_CMD_HPRUN_PIVOTS_H
#define HP_CMD_HPRUN_PIVOTS_H

/*
 * Chooses pivots among the candidates of all nodes.  The pivots are the bounds
 * of the sublists, which the launcher stores in sublists.jsonl.
 */

#include "run.h"

int choose_pivots(struct run *, struct hp_err *);
/*
 * Chooses pivots until they are exact.
 *   count   makes the nodes count the records before each candidate; not
 *           called if all records are candidates
 *   narrow  after each inexact choice, makes the nodes find better
 *           candidates and count, too
 */
int until_exact(struct run *, int (*count)(struct run *, struct hp_err *),
    int (*narrow)(struct run *, struct hp_err *), struct hp_err *);
/*
 * Renames `file` to sublists.jsonl.  It becomes the list of sublists for the
 * next steps.
 */
int adopt_sublists(struct run *, const char *file, struct hp_err *);

#endif
