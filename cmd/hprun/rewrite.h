#ifndef HP_CMD_HPRUN_REWRITE_H
#define HP_CMD_HPRUN_REWRITE_H

/*
 * Replaces the cluster file of -C, for --profile.  The new lines go to a file
 * beside it, with the same mode, which is then renamed.  So the old file stays
 * if anything fails.
 */

#include <stdio.h>

#include "run.h"

/* Writes the new lines. */
typedef int rewrite_lines(void *context, FILE *, struct hp_err *);

/* The run's cluster.  The guard removes the new file if hprun is killed. */
int
rewrite_cluster(struct run *, rewrite_lines *, void *context, struct hp_err *);
/* The same for any file; `new` is the temporary name. */
int rewrite_file(const char *cluster, const char *new, rewrite_lines *,
    void *context, struct hp_err *);

#endif
