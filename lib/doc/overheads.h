#ifndef HP_DOC_OVERHEADS_H
#define HP_DOC_OVERHEADS_H

/*
 * Reads and writes the members of hp-cluster(5) that give the times of a whole
 * run other than its sort and its transfers.
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

/*
 * Add the members that are not 0 to a line, unless it has them. Return 0, or -1
 * if memory is short.
 */
int doc_overheads_add(json_t *line, const struct node *);
int doc_launcher_overheads_add(json_t *line, const struct launcher *);

#endif
