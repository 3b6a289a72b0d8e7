#ifndef HP_JOB_JOURNAL_LINE_H
#define HP_JOB_JOURNAL_LINE_H

/*
 * The lines of a journal, journal.h.
 */

#include <stdbool.h>
#include <stdio.h>

#include "job/journal.h"

/*
 * Reads a line, without its end.  Returns 0, EINVAL or ENOMEM; at 0 the entry
 * has its own sizes.
 */
int journal_line_read(const char *, size_t len, struct journal_entry *);
/* Frees the sizes of an entry that was read. */
void journal_line_fini(struct journal_entry *);
/* May a step have that name? */
bool journal_line_name(const char *);
void journal_line_write(FILE *, const struct journal_entry *);

#endif
