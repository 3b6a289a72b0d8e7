#ifndef HP_CMD_HPRUN_SERVE_H
#define HP_CMD_HPRUN_SERVE_H

/* `hprun --agent`: the other end of the launcher, on a host. */

#include "job/guard.h"

/* Returns the directory of this program's executable, or NULL. */
char *find_home(void);
/* Serves the launcher until it ends; for guard_run. */
int serve_agent(struct guard *, void *context);

#endif
