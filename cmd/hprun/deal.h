#ifndef HP_CMD_HPRUN_DEAL_H
#define HP_CMD_HPRUN_DEAL_H

/*
 * Counts the records of the input, plans the shares of the nodes, and gives
 * each node its part of the input.
 */

#include "run.h"

/*
 * Counts the records of the input and writes the number to count.jsonl.  With
 * --in-place, also writes the nodes' extents to deal.jsonl.
 */
int deal_count(struct run *, struct hp_err *);
/* Runs hpsolve, which writes the plan to plan.jsonl. */
int deal_plan(struct run *, struct hp_err *);
/*
 * Runs hpsolve like deal_plan, but for the nodes of another cluster file in the
 * work directory.
 */
int deal_plan_by(struct run *, const char *cluster, struct hp_err *);
/* Reads plan.jsonl.  Sets the share of each node, and run.records. */
int deal_take_plan(struct run *, struct hp_err *);
/* Reads deal.jsonl.  Sets the extent of the input that each node works on. */
int deal_take(struct run *, struct hp_err *);
/*
 * Divides the input by the plan.  Writes the extent of each node to deal.jsonl,
 * and sends the hosts their extents.
 */
int deal_input(struct run *, struct hp_err *);

/*
 * Combines the counts of nodes that have their own input: `hprun --do parts
 * COUNTS...`  writes deal.jsonl and count.jsonl.
 */
int parts_do(char *words[], struct hp_err *);

#endif
