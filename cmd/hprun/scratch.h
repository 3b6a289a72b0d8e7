#ifndef HP_CMD_HPRUN_SCRATCH_H
#define HP_CMD_HPRUN_SCRATCH_H

/*
 * Runs programs of the toolkit before the run has a work directory. Their
 * output goes to files without a name on disk.
 */

#include "run.h"

struct scratch {
	int fd;
	char name[64]; /* by which this process and its children can open it */
};

int scratch_make(struct scratch *, struct hp_err *);
/*
 * Runs the command, whose output goes to the file. Fails with HP_NO if it exits
 * with 1, otherwise with HP_IO.
 */
int scratch_run(const struct run *, const struct words *,
    const struct scratch *, struct hp_err *);
/*
 * Counts the records of all operands, which must be regular files, and sets
 * *bytes to their size.
 */
int scratch_count(
    struct run *, uint64_t *records, uint64_t *bytes, struct hp_err *);
/* Does nothing if fd is -1. */
void scratch_fini(struct scratch *);

#endif
