#ifndef HP_JOB_LAUNCHER_DIAL_H
#define HP_JOB_LAUNCHER_DIAL_H

/*
 * Makes direct connections to agents (dial.h), before the launcher opens their
 * nodes. If a port cannot be reached, the login remains the connection.
 */

#include "job/launcher_own.h"

/* Asks the agent for a port. The machine's state is MACHINE_DIALING. */
int dial_ask(struct launcher *, struct machine *, struct hp_err *why);
/* Connects to the port that the agent has opened. */
int dial_answer(struct launcher *, struct machine *, const struct message *,
    struct hp_err *why);
/*
 * Handles a descriptor that is ready. Returns false if it is not that of a
 * direct connection that is being made.
 */
bool dials_hear(struct launcher *, int fd);
/* Gives up a direct connection that takes too long. */
void dial_tick(struct launcher *, struct machine *);

#endif
