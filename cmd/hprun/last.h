#ifndef HP_CMD_HPRUN_LAST_H
#define HP_CMD_HPRUN_LAST_H

/*
 * Stages of the methods that sort last (pss, psop).  Each node cuts its
 * unsorted part, exchanges, and sorts what it receives.
 */

#include "run.h"

int sample_parts(struct run *, struct hp_err *);
/* Counts the records of each node's part in each sublist. */
int count_parts(struct run *, struct hp_err *);
/* Assigns the sublists to the nodes, the largest first. */
int assign_sublists(struct run *, struct hp_err *);
/* Cut, exchange, sort. */
int sort_sublists(struct run *, struct hp_err *);
/* Finds the extents of the sublists in the nodes' results. */
int find_sublists(struct run *, struct hp_err *);

#endif
