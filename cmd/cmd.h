#ifndef HP_CMD_CMD_H
#define HP_CMD_CMD_H

/*
 * What all programs share: exit codes, the way out, signals.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "options.h"

enum {
	EXIT_DONE = 0,
	EXIT_NO = 1,	  /* the answer is no */
	EXIT_TROUBLE = 2, /* usage, bad input, input/output */
	EXIT_LOST = 3	  /* a node or peer was lost */
};

/*
 * For programs that map their input: a file that somebody else cuts short
 * meanwhile ends them with a message and exit 2, not by SIGBUS.
 */
void cmd_maps_files(void);
/* For programs of more files than is usual: as many as are allowed. */
void cmd_opens_many(void);
/* A library's complaint about an option's argument: print it and exit 2. */
_Noreturn void cmd_bad(const struct hp_err *);
/*
 * For programs that read standard input when no file is named: say so if it is
 * a terminal, where the program otherwise seems to hang.
 */
void cmd_reads_terminal(void);

/*
 * The last line of a main: closes standard output and looks at the result,
 * prints the error when rc is -1, and returns the exit code.
 */
int cmd_finish(int rc, struct hp_err *);

#endif
