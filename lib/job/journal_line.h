#ifndef HP_JOB_JOURNAL_LINE_H
#define HP_JOB_JOURNAL_LINE_H

/* Reads and writes the lines of a journal; journal.h describes them. */

#include <stdbool.h>
#include <stdio.h>

#include "job/journal.h"

/*
 * Parses a line without its newline. Returns 0, EINVAL if the line is no entry,
 * or ENOMEM. If it returns 0, the caller must free the sizes of the entry.
 */
int journal_line_read(const char *, size_t len, struct journal_entry *);
/* Frees the memory that journal_line_read has allocated for the entry. */
void journal_line_fini(struct journal_entry *);
/* Returns whether a step may have this name. */
bool journal_line_name(const char *);
void journal_line_write(FILE *, const struct journal_entry *);

#endif
