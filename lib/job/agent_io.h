#ifndef HP_JOB_AGENT_IO_H
#define HP_JOB_AGENT_IO_H

/* The connection to the launcher, and what the event loop waits for. */

#include "job/agent_own.h"

int agent_watch(struct agent *, struct agent_source *, struct hp_err *);
void agent_unwatch(struct agent *, struct agent_source *);
/* Queues a message. */
int agent_send(struct agent *, const struct message *, struct hp_err *);
/* Writes as much of the queue as the connection to the launcher takes. */
int agent_flush(struct agent *, struct hp_err *);
/* Returns the seconds between two beats. */
double agent_beat_every(const struct agent *);
/*
 * Sends a beat, which shows that the agent is alive, if one is due. Long
 * operations call this, because the event loop cannot run meanwhile.
 */
int agent_pulse(struct agent *, struct hp_err *);

#endif
