#ifndef HP_DOC_OVERHEADS_H
#define HP_DOC_OVERHEADS_H

/*
 * Reads the members of hp-cluster(5) that give the times of a whole run other
 * than its sort and its transfers.
 */

#include "doc/lines.h"
#include "share/cluster.h"

/*
 * Read the members of the current line. All members are optional. Return 0, or
 * -1 with HP_INPUT if a member is out of range.
 */
int doc_overheads_read(const struct doc_in *, struct node *, struct hp_err *);
int doc_launcher_overheads_read(
    const struct doc_in *, struct launcher *, struct hp_err *);

#endif
