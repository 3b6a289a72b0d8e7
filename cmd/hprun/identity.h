#ifndef HP_CMD_HPRUN_IDENTITY_H
#define HP_CMD_HPRUN_IDENTITY_H

/*
 * The identity of a run, in the file `identity`: the options that determine the
 * result, the cluster, and the sizes and times of the input files.  --resume
 * requires the same identity.  The file without.jsonl lists the lost nodes.
 */

#include "run.h"

int identity_write(struct run *, struct hp_err *);
/*
 * Reads the kept run's tag and lost nodes.  Fails with HP_IO if its identity
 * differs from this run's.
 */
int identity_check(struct run *, struct hp_err *);
/* True if the kept run ended before it had written its identity. */
bool identity_unfinished(void);

/*
 * Appends the lost nodes to without.jsonl.  If only a connection broke, `lost`
 * is NULL and the entry names no node.
 */
int identity_lose(struct run *, const bool *lost, struct hp_err *);

#endif
