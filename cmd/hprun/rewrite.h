#ifndef HP_CMD_HPRUN_REWRITE_H
#define HP_CMD_HPRUN_REWRITE_H

/*
 * Replaces the cluster file of -C, for --profile.  The new lines are written to
 * another file in the same directory, with the same mode, which is then
 * renamed.  If anything fails, the old file remains.
 */

#include <stdio.h>

#include "run.h"

/* Writes the new lines of the cluster file. */
typedef int rewrite_lines(void *context, FILE *, struct hp_err *);

/*
 * Replaces the cluster file of the run.  If hprun is killed, the guard process
 * removes the incomplete new file.
 */
int
rewrite_cluster(struct run *, rewrite_lines *, void *context, struct hp_err *);
/* Replaces any cluster file.  `new` is the temporary name of the new file. */
int rewrite_file(const char *cluster, const char *new, rewrite_lines *,
    void *context, struct hp_err *);

#endif
