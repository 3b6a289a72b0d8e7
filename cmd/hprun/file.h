#ifndef HP_CMD_HPRUN_FILE_H
#define HP_CMD_HPRUN_FILE_H

/*
 * Writes documents of hprun itself into the work directory, which is its
 * current directory.  Each document has a temporary name until it is complete.
 */

#include <stdio.h>

#include "base/outfile.h"
#include "doc/parts.h"

struct file_out {
	struct outfile out;
	FILE *file;
};

int file_begin(struct file_out *, const char *name, struct hp_err *);
/* Writes the document to the disk, so that it survives a power failure. */
int file_sync(struct file_out *, struct hp_err *);
/*
 * Gives the complete document its name, or removes it if rc is -1.  Returns 0
 * or -1.
 */
int file_end(struct file_out *, int rc, struct hp_err *);

/*
 * Writes pieces.R, where R is the rank of a node: the result of the node has
 * this many bytes.
 */
int file_piece(size_t rank, uint64_t bytes, struct hp_err *);
/* Writes parts.jsonl. */
int file_parts(const struct parts *, struct hp_err *);

#endif
