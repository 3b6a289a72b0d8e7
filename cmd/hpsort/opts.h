#ifndef HP_CMD_HPSORT_OPTS_H
#define HP_CMD_HPSORT_OPTS_H

/*
 * What hpsort was asked for.  Options and files are read in opts.c, the files
 * that are keys of the old form or options of old in operands.c, the names
 * that stand in a file in names.c.
 */

#include <stdbool.h>
#include <stddef.h>

#include "cmd.h"
#include "job.h"
#include "ordering.h"

struct opts {
	struct order order;
	struct sort_job job;
	const char *output, *files0;
	char **argv;
	char **operand; /* in front of argv, noperands of them */
	size_t noperands;
	char **names; /* what --files0-from read, nnames of them */
	size_t nnames;
	struct cmd_dropped dropped;
	int check; /* 'c' or 'C', or 0 */
	bool debug, merge, progress, stats;
	bool old_usage; /* of keys among the files, and of -o behind them */
};

/* All of the command line; exits 2 where it is wrong. */
void opts_parse(struct opts *, int argc, char *argv[]);
void opts_fini(struct opts *);

bool opts_old_usage(void);
/* Is -o next, where POSIXLY_CORRECT lets no other option follow a file? */
bool opts_late_output(const struct opts *, int argc, char *argv[]);
/* The one in optarg: a key in its old form, which the next argument may be part
 * of, or a file. */
void opts_operand(struct opts *, int argc, char *argv[]);
/* The option -y, which is ignored. */
void opts_ignore_y(char *argv[]);

/* The names in the file of --files0-from, each ended by a NUL. */
void opts_read_names(struct opts *);

#endif
