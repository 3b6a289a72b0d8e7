#ifndef HP_CMD_HPRUN_DEAL_H
#define HP_CMD_HPRUN_DEAL_H

/*
 * Dealing the input: counts its records, plans the shares, and gives each node
 * its part.
 */

#include "run.h"

/*
 * Counts the records into count.jsonl.  With --in-place it also writes
 * deal.jsonl.
 */
int deal_count(struct run *, struct hp_err *);
/* Runs hpsolve and writes plan.jsonl. */
int deal_plan(struct run *, struct hp_err *);
/* The same, for the nodes of another file in the work directory. */
int deal_plan_by(struct run *, const char *cluster, struct hp_err *);
/* Sets the nodes' shares and run.records from plan.jsonl. */
int deal_take_plan(struct run *, struct hp_err *);
/* Sets the nodes' parts of the input from deal.jsonl: one extent per node. */
int deal_take(struct run *, struct hp_err *);
/*
 * Writes each node's part, an extent of the input, to deal.jsonl.  Sends the
 * hosts their parts.
 */
int deal_input(struct run *, struct hp_err *);

/*
 * `hprun --do parts COUNTS...` writes deal.jsonl and count.jsonl from the
 * counts of the nodes' parts.
 */
int parts_do(char *words[], struct hp_err *);

#endif
