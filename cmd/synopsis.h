#ifndef HP_CMD_SYNOPSIS_H
#define HP_CMD_SYNOPSIS_H

/* Prints the synopsis, --help, and messages about wrong options. */

#include "options.h"

/* Prints a usage error and the synopsis on standard error; exits 2. */
_Noreturn void cmd_misuse(const struct cmd_syntax *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints the synopsis on standard error; exits 2. */
_Noreturn void cmd_usage(const struct cmd_syntax *);
/*
 * Prints the synopsis and a line for each option on standard output, and exits
 * 0.
 */
_Noreturn void cmd_help(const struct cmd_syntax *);

#endif
