#ifndef HP_CMD_HPRUN_JOB_H
#define HP_CMD_HPRUN_JOB_H

/*
 * A job is work other than a sort.  Each node runs the user's command for its
 * share; the outputs are gathered in the order of the ranks.
 *
 *	count.c   the shares are numbered items
 *	map.c     the shares are records, which the command reads
 */

#include "run.h"

/* The two kinds of jobs, from the plan to the result. */
int count_items(struct run *, struct hp_err *);
int map_records(struct run *, struct hp_err *);

/* Finds the file of --weights; called once, where hprun was started. */
int job_files(struct run *, struct hp_err *);
/* Stores the weights of --weights. */
int job_weights(struct run *, struct hp_err *);
/* Plans run.records items and writes plan.jsonl. */
int job_plan(struct run *, struct hp_err *);
/*
 * Runs the command on each node with a share.  Its output is the node's part of
 * the result.
 *   filter  its input is the node's part of the input
 */
int job_run(struct run *, bool filter, struct hp_err *);

#endif
