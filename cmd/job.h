#ifndef HP_CMD_JOB_H
#define HP_CMD_JOB_H

/*
 * The options of hpsort and hpmerge that say how they work, not what they make:
 * memory, threads, how many files are merged at once, how temporary files are
 * compressed.
 */

#include "base/outfile.h"
#include "options.h"
#include "sort/sort.h"

/* The table of a part whose struct is a struct sort_job. */
extern const struct cmd_option job_options[];

/* --dropped, a row of the program's own: a summary of what -u leaves out. */
struct cmd_dropped {
	const char *path; /* NULL: not asked for */
	struct outfile file;
};

/*
 * Opens the output, and the file if it is asked for: then the order sums up
 * what is left out.  Exits 2 if both are the standard output.
 */
int cmd_dropped_open(struct cmd_dropped *, struct order *, struct outfile *out,
    const char *output, struct hp_err *);
/* Both appear, or none. */
int cmd_dropped_commit(struct cmd_dropped *, struct outfile *out,
    const struct sort_stats *, struct hp_err *);

#endif
