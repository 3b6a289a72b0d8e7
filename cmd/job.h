#ifndef HP_CMD_JOB_H
#define HP_CMD_JOB_H

/*
 * The options that say how hpsort and hpmerge work, not what they make: memory,
 * threads, how many files are merged at once, how temporary ones are
 * compressed.  A program puts CMD_JOB_LONG into its table of long options, and
 * its own start at CMD_JOB_OWN.
 */

#include "base/outfile.h"
#include "cmd.h"
#include "sort/sort.h"

enum {
	CMD_BATCH_SIZE = CMD_OWN,
	CMD_COMPRESS,
	CMD_COMPRESS_PROGRAM,
	CMD_DROPPED,
	CMD_PARALLEL,
	CMD_JOB_OWN
};

/* clang-format off */
#define CMD_JOB_LONG \
	{ "batch-size", required_argument, NULL, CMD_BATCH_SIZE }, \
	{ "buffer-size", required_argument, NULL, 'S' }, \
	{ "compress", optional_argument, NULL, CMD_COMPRESS }, \
	{ "compress-program", required_argument, NULL, CMD_COMPRESS_PROGRAM }, \
	{ "dropped", required_argument, NULL, CMD_DROPPED }, \
	{ "parallel", required_argument, NULL, CMD_PARALLEL }
/* clang-format on */

/* Whether the letter is one of these options; exits 2 on a bad argument. */
bool cmd_job_option(struct sort_job *, int letter, const char *arg);

/* --dropped, which is the program's own option: a summary of what -u leaves
 * out. */
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
