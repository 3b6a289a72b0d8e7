#ifndef HP_CMD_HPRUN_SCRATCH_H
#define HP_CMD_HPRUN_SCRATCH_H

/*
 * Runs programs of hptools before there is a work directory.  The output of a
 * program goes to a temporary file without a name.
 */

#include "run.h"

struct scratch {
	int fd;
	/* path by which this process and its children can open the file */
	char name[64];
};

int scratch_make(struct scratch *, struct hp_err *);
/*
 * Runs the command with its output in the scratch file.  Fails with HP_NO if
 * the command exits with 1, and with HP_IO if it fails in another way.
 */
int scratch_run(const struct run *, const struct words *,
    const struct scratch *, struct hp_err *);
/*
 * Counts the records of all operands, which must be regular files.  Sets *bytes
 * to the total size of the files.
 */
int scratch_count(
    struct run *, uint64_t *records, uint64_t *bytes, struct hp_err *);
/* Closes the scratch file.  Does nothing if fd is -1. */
void scratch_fini(struct scratch *);

#endif
