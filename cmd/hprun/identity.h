#ifndef HP_CMD_HPRUN_IDENTITY_H
#define HP_CMD_HPRUN_IDENTITY_H

/*
 * The file `identity` of a kept run contains all that determines the result:
 * options, the cluster, and the sizes and times of the input files.  --resume
 * requires the same identity.  The file without.jsonl lists the lost nodes.
 */

#include "run.h"

int identity_write(struct run *, struct hp_err *);
/*
 * Reads the tag and the lost nodes of the run in the work directory.  Fails
 * with HP_IO if its identity differs from that of the current options.
 */
int identity_check(struct run *, struct hp_err *);
/*
 * Returns whether the run in the work directory ended before it had written its
 * identity.
 */
bool identity_unfinished(void);

/*
 * Appends the lost nodes to without.jsonl.  If `lost` is NULL, only a
 * connection broke, and the new entry names no node.
 */
int identity_lose(struct run *, const bool *lost, struct hp_err *);

#endif
