#ifndef HP_CMD_HPSIM_SIM_H
#define HP_CMD_HPSIM_SIM_H

/*
 * Simulates a run: an actor for the launcher, one for each node, and one for
 * each mover of the exchange.
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
	sg_bar_t all;			   /* the launcher and the nodes */
	sg_bar_t movers_begin, movers_end; /* those and the movers */
};

/* Simulates the run and fills the log. Works once in a process. */
int sim_run(struct sim *, struct hp_err *);
void sim_fini(struct sim *);

/* Starts the actors of the exchange, one role for each mover. */
void exchange_start(struct sim *, struct role *);

/* Notes a step that began at start_s and ends now. */
void sim_note(struct sim *, size_t rank, enum log_stage, const char *name,
    double start_s);

#endif
