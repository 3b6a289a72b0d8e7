#ifndef HP_CMD_HPSIM_SIM_H
#define HP_CMD_HPSIM_SIM_H

/*
 * Simulates a run of hprun.  There is one actor for the launcher, one for each
 * node, and one for each mover of the exchange.
 */

#include <simgrid/barrier.h>

#include "actor.h"
#include "log.h"
#include "movers.h"
#include "talks.h"

struct sim {
	const struct opts *o;
	const struct work *w;
	struct talks talks;
	struct movers movers;
	struct log log;
	/* when all hosts have been logged in to, in seconds */
	double login_s;
	/* barrier of the launcher and the nodes */
	sg_bar_t all;
	/* barriers of the launcher, the nodes and the movers */
	sg_bar_t movers_begin, movers_end;
};

/*
 * Simulates the run and fills the log.  Works only once in a process, because
 * SimGrid cannot be started again.
 */
int sim_run(struct sim *, struct hp_err *);
void sim_fini(struct sim *);

#endif
