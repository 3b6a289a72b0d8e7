#ifndef HP_JOB_AGENT_H
#define HP_JOB_AGENT_H

/*
 * The agent: one on each machine, started by the launcher.  It owns the
 * directories of the machine's nodes, runs their steps, reports how they end,
 * and, when the launcher exits, falls silent or says so, kills everything and
 * cleans up.  hp-agent(5) describes what launcher and agent say to each other.
 */

#include <stdbool.h>

#include "base/err.h"
#include "job/guard.h"

struct agent_config {
	int in, out; /* the connection */
	/* Of this machine's own agent: hprun's standard input and output. */
	int stdin_fd, stdout_fd; /* -1 on hosts */
	/*
	 * Directory of the programs, put first into PATH; NULL: none.  On a
	 * host it is the directory that the program was started from, if it
	 * was not found by PATH alone.
	 */
	const char *home;
	/*
	 * File names of the launcher are names here, too: an agent of this
	 * machine opens them, and streams nothing.
	 */
	bool local;
	/*
	 * Removes what this process cannot, when it is killed; NULL: the
	 * launcher does.
	 */
	struct guard *guard;
};

/*
 * What `hprun --agent` does on a host, as the worker of a guard:
 * cmd/hprun/hprun.c, serve().  Nothing may be written to `out` before.
 *
 * Serves until the launcher says `end` or its connection ends.  Every step is
 * dead then, and every directory that is not kept is gone.  -1: it could not
 * serve, and has told nobody why.
 */
int agent_serve(const struct agent_config *, struct hp_err *);

#endif
