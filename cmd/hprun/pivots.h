#ifndef HP_CMD_HPRUN_PIVOTS_H
#define HP_CMD_HPRUN_PIVOTS_H

/*
 * The launcher chooses pivots among the candidates of all nodes; they are the
 * ends of the sublists in sublists.jsonl.
 */

#include "run.h"

int choose_pivots(struct run *, struct hp_err *);
/* Chooses pivots until they are exact; `narrow` after each that are not. */
int until_exact(struct run *, int (*narrow)(struct run *, struct hp_err *),
    struct hp_err *);
/* The file becomes sublists.jsonl. */
int adopt_sublists(struct run *, const char *file, struct hp_err *);

#endif
