#ifndef HP_CMD_HPRUN_RSH_H
#define HP_CMD_HPRUN_RSH_H

/* The login command: --rsh or ssh. */

#include "run.h"

/*
 * Sets run.rsh to the option's command, or to ssh with options that let it fail
 * instead of wait.
 */
int rsh_choose(struct run *, struct hp_err *);
/*
 * Fails if the command's program has a relative path, or if hosts need it and
 * it does not exist.  Checked before the run, so that no login fails late.
 */
int rsh_check(const struct run *, struct hp_err *);

/* Returns whether the agents of hosts are processes of this machine. */
bool rsh_is_local(const struct run *);

/*
 * Returns whether a directory of PATH has the program.  Its name is the first
 * len bytes.
 */
bool rsh_found(const char *program, size_t len);

/*
 * Prints the command, for a dry run, that has a shell of the host execute the
 * next word.
 */
void rsh_print(const struct run *, const char *host);

#endif
