#ifndef HP_LINK_TRANSPORT_H
#define HP_LINK_TRANSPORT_H

/*
 * A transport listens for, accepts and makes connections (channel.h) between
 * nodes. Each transport is one file, which fills in a struct transport, and one
 * row of the table in transport.c. All transports carry the same protocol, that
 * of lib/net.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "link/address.h"
#include "link/channel.h"
#include "link/jobkey.h"

struct transport_options {
	double timeout_s;
	/* command that runs another command on a host, such as ssh */
	const char *rsh;
	/*
	 * Directory in which hosts search for hpexchange before their PATH;
	 * NULL: none.
	 */
	const char *remote_path;
	const struct jobkey *key; /* for tcp only: the key of the exchange */
};

/*
 * This node's end of a transport: its listener, and the data that it needs to
 * connect.
 */
struct endpoint {
	/* addresses of all nodes, by rank; borrowed */
	const struct address *node;
	uint32_t me;
	const struct transport_options *options; /* borrowed */
	int fd; /* the listening socket; -1: closed */
	/* descriptor of the locked directory of the unix socket; -1: none */
	int dir;
	/* state of the transport: NULL, or a struct ssh or struct tcp */
	void *state;
	/* time by clock_now_s until which the function `close` may wait */
	double end_s;
};

#define ENDPOINT_NONE ((struct endpoint){ .fd = -1, .dir = -1 })

/* One attempt to connect. */
struct attempt {
	/* Set by the caller: */
	/*
	 * the node was connected before; if it is absent now, its process has
	 * ended
	 */
	bool known;
	bool quiet; /* an earlier login already printed its messages */
	/* Set by transport.connect when it returns 0: */
	int errnum;  /* why; 0: not known */
	bool absent; /* no process listens there */
};

struct transport {
	const char *name;     /* for option -t */
	bool shares_memory;   /* all nodes are on one machine */
	uint32_t logins_most; /* simultaneous logins a host takes; 0: any */
	/*
	 * Maximum number of failed connection attempts before the first
	 * connection; 0: no limit.
	 */
	uint32_t attempts_most;
	/*
	 * Starts to listen as node `me`. Fails with HP_INPUT when an address
	 * lacks a port or a directory. Also fails when another process listens
	 * at this node's address. The caller must call `close` even if this
	 * function fails.
	 */
	int (*open)(struct endpoint *, const struct address *node,
	    uint32_t nodes, uint32_t me, const struct transport_options *,
	    struct hp_err *);
	/*
	 * Returns 1 and the next accepted connection, 0 when none waits, or -1.
	 */
	int (*accept)(struct endpoint *, struct channel *, struct hp_err *);
	void (*close)(struct endpoint *);
	/*
	 * Does the periodic work of a node that connects to other nodes. NULL:
	 * there is no such work.
	 */
	void (*tend)(struct endpoint *);
	/*
	 * Connects to a node. Returns 1 and the connection, or -1. Returns 0
	 * when the attempt is not finished; the caller then calls again later.
	 */
	int (*connect)(struct endpoint *, const struct address *,
	    struct attempt *, struct channel *, struct hp_err *);
	/*
	 * Returns why connections to the node failed, or NULL if the transport
	 * does not know why. Sets `permanent` when each retry would fail in the
	 * same way. The string belongs to the endpoint. The pointer is NULL if
	 * the transport has no such function.
	 */
	const char *(*why)(struct endpoint *, uint32_t rank, bool *permanent);
};

/* The transport of that name, or NULL. */
const struct transport *transport_find(const char *name);
/*
 * Returns the default transport: ssh if a node is on another machine than node
 * `me`, else unix.
 */
const struct transport *
transport_default(const struct address *node, uint32_t nodes, uint32_t me);

#endif
