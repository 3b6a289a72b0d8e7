#ifndef HP_CMD_HPRUN_JOB_H
#define HP_CMD_HPRUN_JOB_H

/*
 * A job is work other than a sort.  Each node runs the user's command for its
 * share; the outputs are gathered in the order of the ranks.
 *
 *	count.c   the shares are numbered items
 *	map.c     the shares are records, which the command reads
 *	mapfiles.c  the shares are files, whose names the command gets
 */

#include "run.h"

/* The kinds of jobs, from the plan to the result. */
int count_items(struct run *, struct hp_err *);
int map_records(struct run *, struct hp_err *);
int map_files(struct run *, struct hp_err *);

/* Finds the file of --weights; called once, where hprun was started. */
int job_files(struct run *, struct hp_err *);
/* Stores the weights of --weights. */
int job_weights(struct run *, struct hp_err *);
/* Plans run.records items and writes plan.jsonl. */
int job_plan(struct run *, struct hp_err *);
/*
 * Runs the command on each node with a share.  Its output is the node's part of
 * the result.
 */
int job_run(struct run *, struct hp_err *);
/*
 * `hprun --do allot PLAN ENDS` prints the extent of each node in the bundle of
 * files (bundle.h).
 */
int allot_do(char *words[], struct hp_err *);

#endif
