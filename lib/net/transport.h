#ifndef HP_NET_TRANSPORT_H
#define HP_NET_TRANSPORT_H

/*
 * How bytes get from node to node.  A transport makes connections, which are
 * descriptors that do not block and can be polled; what goes over them, and
 * who is let in, is the same for all (outlet.h, inlet.h, lobby.h).
 */

#include "base/err.h"

/* Where a node is to be found. */
struct address {
	const char *name; /* for messages */
	const char *dir;  /* of its socket; NULL where there is none */
};

struct door; /* where others come in; of the transport */

enum {
	LINK_NONE = -2 /* no connection now, perhaps later */
};

struct transport {
	const char *name; /* of option -t */
	/*
	 * Begin to listen as the node of the address.  Returns NULL when that
	 * cannot be, one reason being that somebody else does.
	 */
	struct door *(*open)(const struct address *, struct hp_err *);
	/* Readable when somebody comes. */
	int (*poll_fd)(const struct door *);
	/* The next who came, LINK_NONE for nobody, or -1. */
	int (*accept)(struct door *, struct hp_err *);
	/* Let nobody in any more.  The place stays taken until close. */
	void (*shut)(struct door *);
	void (*close)(struct door *);
	/*
	 * A connection to the node of the address, LINK_NONE when it is not
	 * there yet, or -1.
	 */
	int (*dial)(const struct address *, struct hp_err *);
};

/* Sockets DIR/exchange.sock, for nodes of one machine and one user. */
extern const struct transport transport_unix;

#endif
