#ifndef HP_CMD_CMD_H
#define HP_CMD_CMD_H

/* Functions and exit codes that all programs share. */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "options.h"
#include "record/header.h"

enum {
	EXIT_DONE = 0,
	EXIT_NO = 1,	  /* the answer is no */
	EXIT_TROUBLE = 2, /* usage, bad input, input/output */
	EXIT_LOST = 3	  /* a node or peer was lost */
};

/*
 * The default login command.  ssh asks no question, and starts no master
 * process for later connections: hprun would kill it at the end of a run.
 */
#define CMD_SSH "ssh -T -o BatchMode=yes -o ControlMaster=no"

/*
 * For programs that map their input files into memory.  If another process
 * truncates a mapped file, the program ends with a message and exit code 2
 * instead of SIGBUS.
 */
void cmd_maps_files(void);
/*
 * Prints a note of the library on standard error.  Programs set the member
 * `note` of struct hp_err to this function.
 */
hp_note cmd_note;
/* Prints a library's error about an option's argument and exits 2. */
_Noreturn void cmd_bad(const struct hp_err *);
/*
 * For programs that read standard input if no file is named.  Prints a notice
 * if standard input is a terminal, because the program would otherwise seem to
 * hang.
 */
void cmd_reads_terminal(void);
/*
 * Warns that the header lines of an input file differ from the header that was
 * written to the output.  Prints nothing if all headers are equal.
 */
void cmd_header_warn(const struct header *);

/*
 * Exits 2 if two output options name the same file.  A path may be NULL: the
 * option was not given.
 */
void cmd_outputs_differ(const char *option, const char *path,
    const char *other_option, const char *other_path);

/* Exits 2 if the output of this option is one of n > 0 inputs. */
void cmd_spares_inputs(
    const char *option, const char *path, const char *const *input, size_t n);

/*
 * Fails if text that the user has asked for, such as statistics, could not be
 * printed on standard error.  Call it right after the text.
 */
int cmd_told(struct hp_err *);

/*
 * Ends a main: closes standard output, checks for write errors, prints the
 * error if rc is -1, and returns the exit code.
 */
int cmd_finish(int rc, struct hp_err *);

#endif
