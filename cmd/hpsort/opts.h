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

bool opts_old_usage(void);
/*
 * Returns true if the next argument is -o.  With POSIXLY_CORRECT, it is the
 * only option that hpsort accepts after a file.
 */
bool opts_late_output(const struct opts *, int argc, char *argv[]);
/*
 * Handles an operand, which is in optarg.  It is a file or an obsolete key.  A
 * key may include the next argument.
 */
void opts_operand(struct opts *, int argc, char *argv[]);
/* Skips the argument of the option -y, which has no effect. */
void opts_ignore_y(char *argv[]);

/*
 * Reads the file of --files0-from.  It contains file names, each terminated by
 * a NUL.
 */
void opts_read_names(struct opts *);

#endif
