#ifndef HP_CMD_HPRUN_MODE_H
#define HP_CMD_HPRUN_MODE_H

/*
 * What hprun is asked to do.  The mode decides what the words of the command
 * line mean: -n is an ordering option of a sort, and takes COUNT in a job.
 *
 *	hprun --map [FILE...] -- COMMAND...	a job on records
 *	hprun -n COUNT -- COMMAND...		a job on numbered items
 *	hprun [FILE...]				a sort
 *
 * A command line is a job on items if it has an option that only jobs have.  It
 * also is one if a word follows `--`, and before `--` there is the word -n with
 * an operand behind it.  So `hprun -n -- FILE` remains a numeric sort.
 */

#include "options.h"
#include "opts.h"

/*
 * Finds out what the command line asks for.  Sets *end to the index of `--`, or
 * to argc if there is none.  The syntax must have the options of all modes.
 */
enum mode
mode_find(const struct cmd_syntax *, int argc, char *argv[], int *end);

/*
 * Returns a text that says which options of a job are wrong, or NULL if they
 * are valid.
 */
const char *mode_fault(const struct opts *);

#endif
