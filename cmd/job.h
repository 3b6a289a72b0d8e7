#ifndef HP_CMD_JOB_H
#define HP_CMD_JOB_H

/*
 * Options of hpsort and hpmerge for the work itself, not its result: memory,
 * threads, files to merge at once, compression of temporary files.
 */

#include "base/outfile.h"
#include "options.h"
#include "sort/sort.h"

/* Option table for a struct sort_job. */
extern const struct cmd_option job_options[];

/* The option --dropped: a file with a summary of what -u leaves out. */
struct cmd_dropped {
	const char *path; /* NULL: not asked for */
	struct outfile file;
};

/*
 * Opens the output, and the file of --dropped if it was given. Then the order
 * also sums the records left out. Exits 2 if both are standard output.
 *   at  offset to write at (outfile_open_at); NULL: a new file
 */
int cmd_dropped_open(struct cmd_dropped *, struct order *, struct outfile *out,
    const char *output, const uint64_t *at, struct hp_err *);
/* Completes both files; either both appear or none. */
int cmd_dropped_commit(struct cmd_dropped *, struct outfile *out,
    const struct sort_stats *, struct hp_err *);

#endif
