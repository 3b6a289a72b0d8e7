#ifndef HP_CMD_JOB_H
#define HP_CMD_JOB_H

/*
 * The options that say how hpsort and hpmerge work, not what they make: memory,
 * threads, how many files are merged at once, how temporary ones are
 * compressed.  A program puts CMD_JOB_LONG into its table of long options, and
 * its own start at CMD_JOB_OWN.
 */

#include "cmd.h"
#include "sort/sort.h"

enum {
	CMD_BATCH_SIZE = CMD_OWN,
	CMD_COMPRESS,
	CMD_COMPRESS_PROGRAM,
	CMD_PARALLEL,
	CMD_JOB_OWN
};

/* clang-format off */
#define CMD_JOB_LONG \
	{ "batch-size", required_argument, NULL, CMD_BATCH_SIZE }, \
	{ "buffer-size", required_argument, NULL, 'S' }, \
	{ "compress", optional_argument, NULL, CMD_COMPRESS }, \
	{ "compress-program", required_argument, NULL, CMD_COMPRESS_PROGRAM }, \
	{ "parallel", required_argument, NULL, CMD_PARALLEL }
/* clang-format on */

/* Whether the letter is one of these options; exits 2 on a bad argument. */
bool cmd_job_option(struct sort_job *, int letter, const char *arg);

#endif
