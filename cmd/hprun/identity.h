#ifndef HP_CMD_HPRUN_IDENTITY_H
#define HP_CMD_HPRUN_IDENTITY_H

/*
 * What must be the same when a run is taken up again, in the file `identity`:
 * the options that tell what is done, the cluster, and the sizes and times of
 * the input files.  Further which nodes were lost, in without.jsonl.
 */

#include "run.h"

int identity_write(struct run *, struct hp_err *);
/* HP_IO if the kept run is another one; takes its tag and its lost nodes. */
int identity_check(struct run *, struct hp_err *);
/* A run that was ended before it had written its identity. */
bool identity_unfinished(void);

/* Notes the nodes that are lost; none if only a connection broke. */
int identity_lose(struct run *, const bool *lost, struct hp_err *);

#endif
