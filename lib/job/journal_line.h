#ifndef HP_JOB_JOURNAL_LINE_H
#define HP_JOB_JOURNAL_LINE_H

/* Reads and writes the lines of a journal; journal.h describes them. */

#include <stdbool.h>
#include <stdio.h>

#include "job/journal.h"

/*
 * Reads a line without its newline.  Returns 0, EINVAL or ENOMEM.  After 0 the
 * entry owns its sizes.
 */
int journal_line_read(const char *, size_t len, struct journal_entry *);
/* Frees the sizes of an entry from journal_line_read. */
void journal_line_fini(struct journal_entry *);
/* Tells whether the name is valid for a step. */
bool journal_line_name(const char *);
void journal_line_write(FILE *, const struct journal_entry *);

#endif
