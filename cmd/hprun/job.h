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

/*
 * Finds the file of --weights.  Call this before hprun enters the work
 * directory, because the path may be relative.
 */
int job_files(struct run *, struct hp_err *);
/* Copies the weights of --weights into the work directory. */
int job_weights(struct run *, struct hp_err *);
/* Divides run.records items among the nodes, and writes plan.jsonl. */
int job_plan(struct run *, struct hp_err *);
/*
 * Runs the command on each node that has a share.  The output of the command is
 * the node's part of the result.
 */
int job_run(struct run *, struct hp_err *);

#endif
