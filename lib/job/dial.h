#ifndef HP_JOB_DIAL_H
#define HP_JOB_DIAL_H

/*
 * The launcher's end of a direct connection to an agent: TLS over TCP, to a
 * port that the agent has opened. hp-agent(5) describes it. If the login is
 * ssh, a direct connection saves much processor time, because data then need
 * not pass through the login.
 *
 *	dial_new	makes a key, which the launcher sends to the agent
 *			through the login
 *	dial_begin	begins to connect to the agent's port
 *	dial_go_on	continues to connect; to be called each time the
 *			descriptor is ready, until the function returns 1
 *
 * The launcher uses the connection only after the agent has proven that it
 * knows the key. Nothing here blocks.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "job/wire.h"
#include "link/tlsparty.h"

/* Names of the two ends, from which TLS derives the key of the connection. */
#define DIAL_LAUNCHER "launcher"
#define DIAL_AGENT "agent"

struct dial {
	struct jobkey key;	/* MESSAGE_KEY hexadecimal digits */
	struct tls_party party; /* shares all but the key */
	int fd; /* the socket until TCP has connected; -1: none */
	struct channel channel;
	/*
	 * The frames over the channel. Its queue begins with the launcher's
	 * stream head, which is not sent before dial_go_on has returned 1.
	 */
	struct wire wire;
	const char *name; /* of the machine, for messages; borrowed */
	double until_s;	  /* when the caller gives up, by the caller's clock */
};

/*
 * Prepares what all connections share. The caller calls tls_party_fini after it
 * has freed them.
 */
int dial_init(struct tls_party *, struct hp_err *);
/* Makes a new secret key. Returns NULL with an error. */
struct dial *
dial_new(const struct tls_party *, const char *name, struct hp_err *);
/*
 * Begins to connect to a numeric address, as the agent has sent it. The agent
 * may be hostile, so any other address fails with HP_INPUT.
 */
int
dial_begin(struct dial *, const char *address, uint16_t port, struct hp_err *);
/*
 * Returns the descriptor that the event loop must watch. Sets *write to true to
 * wait until it can be written, or to false to wait for input. Returns -1 if
 * the connection has not begun.
 */
int dial_waits(const struct dial *, bool *write);
/*
 * Continues to connect. Returns 1 once the agent has proven that it knows the
 * key: then `wire` is ready. Returns 0 if it must wait. Returns -1 with HP_LOST
 * if there will be no connection.
 */
int dial_go_on(struct dial *, struct hp_err *);
/* Closes the connection. Does nothing if the argument is NULL. */
void dial_free(struct dial *);

#endif
