#ifndef HP_CMD_HPSORT_OPERANDS_H
#define HP_CMD_HPSORT_OPERANDS_H

/* Operands and options in the obsolete forms of sort(1). */

#include "opts.h"

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

#endif
