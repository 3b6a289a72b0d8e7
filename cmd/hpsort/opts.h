#ifndef HP_CMD_HPSORT_OPTS_H
#define HP_CMD_HPSORT_OPTS_H

/*
 * The command line of hpsort. opts.c parses options and files. operands.c
 * handles obsolete keys and options among the operands. names.c reads the file
 * of --files0-from.
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
	/* the operands, moved to the front of argv */
	char **operand;
	size_t noperands;
	char **names; /* file names that were read by --files0-from */
	size_t nnames;
	struct cmd_dropped dropped;
	int check; /* letter of the option -c or -C; 0: sort */
	bool debug, merge, progress, stats;
	bool old_usage; /* accept +POS keys and -o after files */
};

/* Parses the command line; exits 2 if it is wrong. */
void opts_parse(struct opts *, int argc, char *argv[]);
void opts_fini(struct opts *);

#endif
