#ifndef HP_CMD_HPRUN_SERVE_H
#define HP_CMD_HPRUN_SERVE_H

/* `hprun --agent`: the process on a host that runs steps for the launcher. */

#include "job/guard.h"

/*
 * Returns the directory that contains the executable of this program, or NULL.
 */
char *find_home(void);
/*
 * serve_agent runs steps for the launcher until the launcher ends the
 * connection.  guard_run calls it.
 */
/*
 * serve_call implements --agent=call: it connects to the launcher.  The
 * environment of srun gives the address, and standard input gives the port and
 * a key.  The connection becomes standard input and output.  If this fails,
 * serve_call prints the reason and returns -1.
 */
int serve_call(void);
int serve_agent(struct guard *, void *context);

#endif
