#ifndef HP_LINK_TRANSPORT_H
#define HP_LINK_TRANSPORT_H

/*
 * A transport makes connections (channel.h) between nodes: it listens, accepts
 * and connects.  Each transport is one file, which fills in a struct transport,
 * and one row of the table in transport.c.  The protocol on the connections is
 * that of lib/net and the same for all.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "link/address.h"
#include "link/channel.h"
#include "link/jobkey.h"

struct transport_options {
	double timeout_s;
	const char *rsh; /* command that runs another on a host, like ssh */
	/* Directory on the hosts to search before their PATH; NULL: none. */
	const char *remote_path;
	const struct jobkey *key; /* of tcp */
};

/* This node's end of a transport: its listener, and what connecting needs. */
struct endpoint {
	const struct address *node; /* of all nodes, by rank; borrowed */
	uint32_t me;
	const struct transport_options *options; /* borrowed */
	int fd;	      /* the listening socket; -1: closed */
	int dir;      /* locked directory of the unix socket; -1: none */
	void *state;  /* of the transport: NULL, a struct ssh or tcp */
	double end_s; /* how long close may wait, as clock_now_s counts */
};

#define ENDPOINT_NONE ((struct endpoint){ .fd = -1, .dir = -1 })

/* One attempt to connect. */
struct attempt {
	/* Set by the caller: */
	bool known; /* was connected before: if absent, it has ended */
	bool quiet; /* an earlier login already printed its messages */
	/* Set when there is no connection yet: */
	int errnum;  /* why; 0: not known */
	bool absent; /* no process listens there */
};

struct transport {
	const char *name;     /* for option -t */
	bool shares_memory;   /* all nodes are on one machine */
	uint32_t logins_most; /* simultaneous logins a host takes; 0: any */
	/* Failed attempts before the first connection; 0: no limit. */
	uint32_t attempts_most;
	/*
	 * Starts to listen as node `me`.  Fails with HP_INPUT when an address
	 * lacks a port or a directory, and when another process listens there.
	 * Call close in any case.
	 */
	int (*open)(struct endpoint *, const struct address *node,
	    uint32_t nodes, uint32_t me, const struct transport_options *,
	    struct hp_err *);
	/* Returns 1 and the next connection, 0 when there is none, or -1. */
	int (*accept)(struct endpoint *, struct channel *, struct hp_err *);
	void (*close)(struct endpoint *);
	/* Periodic work of a node that connects; NULL: none. */
	void (*tend)(struct endpoint *);
	/*
	 * Connects to a node.  Returns 1 and the connection, or -1.  Returns 0
	 * when there is no connection yet; then the caller calls again later.
	 */
	int (*connect)(struct endpoint *, const struct address *,
	    struct attempt *, struct channel *, struct hp_err *);
	/*
	 * Why connections to that node failed, or NULL when the transport knows
	 * nothing.  Sets `permanent` when each retry would fail the same way.
	 * The string belongs to the endpoint.  NULL: no such function.
	 */
	const char *(*why)(struct endpoint *, uint32_t rank, bool *permanent);
};

/* The transport of that name, or NULL. */
const struct transport *transport_find(const char *name);
/* The default: ssh when a node is on another machine than `me`, else unix. */
const struct transport *
transport_default(const struct address *node, uint32_t nodes, uint32_t me);

#endif
