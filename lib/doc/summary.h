#ifndef HP_DOC_SUMMARY_H
#define HP_DOC_SUMMARY_H

/* Reads and writes hp-summary(5). */

#include <stdio.h>

#include "check/summary.h"
#include "doc/lines.h"

/*
 * Reads the next summary. Returns 1, 0 at the end, or -1. Fails with HP_INPUT
 * if the line is not a summary or contradicts itself. Reuses the storage of
 * *summary.
 */
int doc_summary_read(struct doc_in *, struct summary *, struct hp_err *);
int doc_summary_write(FILE *, const struct summary *, struct hp_err *);
/*
 * Writes a line of type `sum`: the number of records, their bytes and their
 * checksum, but nothing about their order. *sublist is the number of the
 * sublist that has these records. If it is NULL, the line is for the whole
 * file.
 */
int doc_sum_write(
    FILE *, const struct summary *, const uint64_t *sublist, struct hp_err *);

#endif
