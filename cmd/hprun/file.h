#ifndef HP_CMD_HPRUN_FILE_H
#define HP_CMD_HPRUN_FILE_H

/*
 * Documents that hprun itself writes into the work directory, which is its
 * current directory.  They appear whole.
 */

#include <stdio.h>

#include "base/outfile.h"
#include "doc/parts.h"

struct file_out {
	struct outfile out;
	FILE *file;
};

int file_begin(struct file_out *, const char *name, struct hp_err *);
/* rc: -1 if writing has failed already; returns that, or the result. */
int file_end(struct file_out *, int rc, struct hp_err *);

/* Writes parts.jsonl. */
int file_parts(const struct parts *, struct hp_err *);

#endif
