#ifndef HP_CMD_HPRUN_LAST_H
#define HP_CMD_HPRUN_LAST_H

/*
 * The stages of the methods that sort last: each node cuts its unsorted part,
 * and sorts what arrives.
 */

#include "run.h"

int sample_parts(struct run *, struct hp_err *);
/* How many records of each part belong to each sublist. */
int count_parts(struct run *, struct hp_err *);
/* Gives the sublists to the nodes, the largest first. */
int assign_sublists(struct run *, struct hp_err *);
/* Cut, exchange, sort. */
int sort_sublists(struct run *, struct hp_err *);
/* Where the sublists lie in the nodes' results. */
int find_sublists(struct run *, struct hp_err *);

#endif
