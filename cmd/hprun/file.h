#ifndef HP_CMD_HPRUN_FILE_H
#define HP_CMD_HPRUN_FILE_H

/*
 * Documents that hprun itself writes into the work directory, its current
 * directory. Each is written under a temporary name and renamed when complete.
 */

#include <stdio.h>

#include "base/outfile.h"
#include "doc/parts.h"

struct file_out {
	struct outfile out;
	FILE *file;
};

int file_begin(struct file_out *, const char *name, struct hp_err *);
/* Completes the file, or discards it if rc is -1.  Returns 0 or -1. */
int file_end(struct file_out *, int rc, struct hp_err *);

/* Writes parts.jsonl. */
int file_parts(const struct parts *, struct hp_err *);

#endif
