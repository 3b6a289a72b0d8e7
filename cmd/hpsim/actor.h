#ifndef HP_CMD_HPSIM_ACTOR_H
#define HP_CMD_HPSIM_ACTOR_H

/*
 * Actors are the processes that SimGrid simulates.  They send messages to
 * mailboxes.
 */

#include <stddef.h>

#include <simgrid/forward.h>

#include "base/err.h"

struct sim;

/* The data of one actor. */
struct role {
	struct sim *sim;
	size_t i; /* rank of the node, or number of the mover */
	/* arrays for unfinished messages, as many as the actor can have */
	sg_comm_t *comm;
	void **got;
	struct sending *sending;
};

/* A message of the exchange that a mover is about to send. */
struct sending {
	double latency_s;
	sg_mailbox_t to;
	long bytes;
};

/*
 * Creates n roles, each with room for `messages` unfinished messages.  Returns
 * NULL if memory is short.  roles_free accepts NULL.
 */
struct role *
roles_new(struct sim *, size_t n, size_t messages, struct hp_err *);
void roles_free(struct role *);

/* Returns the mailbox for one kind of message to node, mover or launcher i. */
sg_mailbox_t actor_mailbox(char kind, size_t i);
/*
 * Send and receive a message.  The message begins when both actors are ready.
 * It takes its latency, and then the time in which the ports transfer it.
 */
void actor_send(sg_mailbox_t, struct role *, long bytes, double latency_s);
void actor_receive(sg_mailbox_t);
/* Starts an actor on the simulated host of that name. */
void actor_start(const char *host, void (*)(int, char **), struct role *);

#endif
