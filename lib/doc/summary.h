#ifndef HP_DOC_SUMMARY_H
#define HP_DOC_SUMMARY_H

/* hp-summary(5). */

#include <stdio.h>

#include "check/summary.h"
#include "doc/lines.h"

/*
 * The summary of the next line: 1, 0 at the end, -1 (HP_INPUT when it is not a
 * summary, or one that cannot be).  The storage of *summary is reused.
 */
int doc_summary_read(struct doc_in *, struct summary *, struct hp_err *);
int doc_summary_write(FILE *, const struct summary *, struct hp_err *);
/*
 * A line of type `sum`: records, bytes and checksum, whatever their order.
 * sublist: which part of a file it is of; NULL: of all.
 */
int doc_sum_write(
    FILE *, const struct summary *, const uint64_t *sublist, struct hp_err *);

#endif
