#ifndef HP_JOB_AGENT_H
#define HP_JOB_AGENT_H

/*
 * The agent runs on each machine and is started by the launcher.  It owns the
 * directories of the machine's nodes, runs their steps and reports how they
 * end.  When the launcher exits, falls silent or sends `end`, the agent kills
 * everything and cleans up.  hp-agent(5) describes the protocol.
 */

#include <stdbool.h>

#include "base/err.h"
#include "job/guard.h"

struct agent_config {
	int in, out; /* the connection */
	/*
	 * Standard input and output of hprun, for the agent on the launcher's
	 * machine.
	 */
	int stdin_fd, stdout_fd; /* -1 on hosts */
	/*
	 * Directory of the hptools programs, which the agent puts first into
	 * PATH. On a host, it is the directory of this program. NULL: PATH
	 * stays as it is, because it already contains the programs.
	 */
	const char *home;
	/*
	 * true: the agent runs on the launcher's machine. Then it opens the
	 * launcher's files itself, without streams.
	 */
	bool local;
	/*
	 * Address of the launcher, which the agent reports in `hello`. NULL:
	 * the agent reports the address in SSH_CONNECTION, if ssh has set it.
	 */
	const char *launcher;
	/*
	 * The guard process, which cleans up if this process is killed. NULL:
	 * there is no guard, and the launcher cleans up.
	 */
	struct guard *guard;
};

/*
 * Serves a launcher until the launcher sends `end` or the connection ends. By
 * then, all steps are killed, and all directories that are not kept are
 * removed. Nothing may have been written to `out` before the call. Returns -1
 * with an error that has not been printed. `hprun --agent` calls this function
 * as the worker of a guard (cmd/hprun/hprun.c, serve()).
 */
int agent_serve(const struct agent_config *, struct hp_err *);

#endif
