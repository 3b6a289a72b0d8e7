#ifndef HP_CMD_HPRUN_SERVE_H
#define HP_CMD_HPRUN_SERVE_H

/* `hprun --agent`: the other end of the launcher, on a host. */

#include "job/guard.h"

/* Returns the directory of this program's executable, or NULL. */
char *find_home(void);
/* Serves the launcher until it ends; for guard_run. */
/*
 * For --agent=call: connects to the launcher that standard input tells, and
 * makes the connection standard input and output. Prints why it cannot, and
 * returns -1.
 */
int serve_call(void);
int serve_agent(struct guard *, void *context);

#endif
