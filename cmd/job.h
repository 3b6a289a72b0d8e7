#ifndef HP_CMD_JOB_H
#define HP_CMD_JOB_H

/*
 * Options of hpsort and hpmerge that do not change the result: memory, threads,
 * the number of files to merge at once, compression of temporary files.
 */

#include "base/outfile.h"
#include "options.h"
#include "sort/sort.h"

/* Option table for a struct sort_job. */
extern const struct cmd_option job_options[];
/* Stores the argument of -o in *to, a const char *. */
cmd_set set_output;

/*
 * The option --dropped: a file that gets a summary of the records that -u
 * drops.
 */
struct cmd_dropped {
	const char *path; /* NULL: not asked for */
	struct outfile file;
};

/*
 * Exits 2 if the file of --dropped is the output or an input of the job.
 */
void cmd_dropped_check(
    const struct cmd_dropped *, const char *output, const struct sort_job *);
/*
 * Opens the output file, and the file of --dropped if that option was given.
 * In that case, the order also computes the checksum of dropped records.
 *   at  offset to write at (outfile_open_at); NULL: a new file
 */
int cmd_dropped_open(struct cmd_dropped *, struct order *, struct outfile *out,
    const char *output, const uint64_t *at, struct hp_err *);
/*
 * Gives the output file and the file of --dropped their names.  If the disk is
 * too full for one of the two, neither appears.
 */
int cmd_dropped_commit(struct cmd_dropped *, struct outfile *out,
    const struct sort_stats *, struct hp_err *);

#endif
