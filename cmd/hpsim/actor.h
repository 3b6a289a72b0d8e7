#ifndef HP_CMD_HPSIM_ACTOR_H
#define HP_CMD_HPSIM_ACTOR_H

/* Actors, the simulated processes, and their mailboxes. */

#include <stddef.h>

#include <simgrid/forward.h>

#include "base/err.h"

struct sim;

/* What an actor is told. */
struct role {
	struct sim *sim;
	size_t i; /* rank or mover */
	/* for messages under way, as many as the actor can have */
	sg_comm_t *comm;
	void **got;
};

/*
 * Makes n roles, each with room for `messages` messages; NULL if memory is
 * short. roles_free accepts NULL.
 */
struct role *
roles_new(struct sim *, size_t n, size_t messages, struct hp_err *);
void roles_free(struct role *);

/* A mailbox of a kind of message to a node, a mover or the launcher. */
sg_mailbox_t actor_mailbox(char kind, size_t i);
/* Starts an actor on the host of that name. */
void actor_start(const char *host, void (*)(int, char **), struct role *);
#endif
