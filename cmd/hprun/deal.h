#ifndef HP_CMD_HPRUN_DEAL_H
#define HP_CMD_HPRUN_DEAL_H

/*
 * The deal: the input is counted, the work planned, and each node given its
 * part of the input.
 */

#include "run.h"

/* How many records there are: count.jsonl, and in place deal.jsonl. */
int deal_count(struct run *, struct hp_err *);
/* plan.jsonl. */
int deal_plan(struct run *, struct hp_err *);
/* The parts, as extents of the input: deal.jsonl; hosts are sent theirs. */
int deal_input(struct run *, struct hp_err *);

/* `hprun --do parts COUNTS...`: deal.jsonl and count.jsonl. */
int parts_do(char *words[], struct hp_err *);

#endif
