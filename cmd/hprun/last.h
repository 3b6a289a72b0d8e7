#ifndef HP_CMD_HPRUN_LAST_H
#define HP_CMD_HPRUN_LAST_H

/*
 * Stages of the methods that sort last (pss, psop).  Each node cuts its
 * unsorted part of the input, exchanges records with the other nodes, and sorts
 * what it receives.
 */

#include "run.h"

int sample_parts(struct run *, struct hp_err *);
/* Counts, on each node, the records that fall into each sublist. */
int count_parts(struct run *, struct hp_err *);
/* Assigns the sublists to nodes, beginning with the largest sublist. */
int assign_sublists(struct run *, struct hp_err *);
/* Cuts the nodes' parts into sublists, exchanges these, and sorts them. */
int sort_sublists(struct run *, struct hp_err *);
/* Finds the offset and size of each sublist in the sorted file of its node. */
int find_sublists(struct run *, struct hp_err *);

#endif
