#ifndef HP_LINK_TRANSPORT_H
#define HP_LINK_TRANSPORT_H

/*
 * How bytes get from node to node.  A transport makes connections
 * (channel.h); what goes over them, and who is let in, is the same for all
 * (outlet.h, inlet.h, lobby.h).
 */

#include <sys/types.h>

#include <stdint.h>

#include "base/err.h"
#include "link/channel.h"
#include "link/jobkey.h"

/* Where a node is to be found. */
struct address {
	const char *name; /* for messages */
	const char *host; /* NULL: this machine */
	const char *dir;  /* of its socket; NULL: not given */
	uint16_t port;	  /* 0: not given */
};

struct transport_options {
	double timeout_s;
	const char *rsh; /* command that runs another on a host, as ssh */
	/* Directory on the hosts to search before their PATH; NULL: none. */
	const char *remote_path;
	const struct jobkey *key; /* of tcp */
};

/* Where the others come in, and what it takes to get to them. */
struct door {
	const struct address *node; /* by rank */
	uint32_t me;
	const struct transport_options *options;
	int fd;	 /* listens; -1 once shut */
	int dir; /* of unix and ssh: locked while we are at work */
	struct ssh *ssh;
	struct tcp *tcp;
	/* For a dial: whether that node was connected before, */
	bool known;
	bool again; /* and whether what it says was said by the one before. */
	/* Of one that found nobody: errno, 0: not known; */
	int obstacle;
	bool gone; /* nobody listens there, for certain. */
	/* For a close: by when all is over, of the steady clock. */
	double end_s;
};

struct transport {
	const char *name; /* of option -t */
	bool shares;	  /* memory, as all are on one machine */
	uint32_t logins;  /* that a host bears at a time; 0: any number */
	uint32_t tries;	  /* that may fail, of the first; 0: any number */
	/*
	 * Begin to listen as node `me` of so many; all is borrowed.  Returns
	 * -1 when that cannot be, one reason being that somebody else does;
	 * HP_INPUT when an address lacks what it takes.  The door is to be
	 * closed all the same.
	 */
	int (*open)(struct door *, const struct address *node, uint32_t nodes,
	    uint32_t me, const struct transport_options *, struct hp_err *);
	/* Readable when somebody comes, -1 once shut. */
	int (*poll_fd)(const struct door *);
	/* The next who came: returns 1, 0 when there is nobody, or -1. */
	int (*accept)(struct door *, struct channel *, struct hp_err *);
	void (*close)(struct door *);
	/* From time to time, by who dials; NULL: not needed. */
	void (*tend)(struct door *);
	/*
	 * A connection to the node of the address: returns 1, 0 when there is
	 * none yet, so that it is to be tried again, or -1.
	 */
	int (*dial)(struct door *, const struct address *, struct channel *,
	    struct hp_err *);
	/*
	 * Of a call whose other end went away, what is known of it, or NULL,
	 * and whether another one would end in the same way; NULL: nothing is.
	 * The string is the door's.
	 */
	const char *(*why)(struct door *, uint32_t rank, bool *hopeless);
};

/* Sockets DIR/exchange.sock, for nodes of one machine and one user. */
extern const struct transport transport_unix;
/*
 * The same sockets, on other machines reached by `rsh HOST hpexchange --serve
 * DIR`, which carries the bytes over its standard input and output.
 */
extern const struct transport transport_ssh;
/* ssh where a node is on another machine than node `me`, else unix. */
const struct transport *
transport_between(const struct address *node, uint32_t nodes, uint32_t me);
/* TLS over TCP, to the port of each node. */
extern const struct transport transport_tcp;
/*
 * Different ports at which nobody listens here now.  They are not of those
 * that Linux gives to outgoing connections, so that they are likely to be free
 * a while longer.
 */
int tcp_free_ports(uint16_t *port, unsigned n, struct hp_err *);

/* The functions of transport_unix, for others to build on. */
int unix_open(struct door *, const struct address *, uint32_t nodes,
    uint32_t me, const struct transport_options *, struct hp_err *);
int unix_poll_fd(const struct door *);
int unix_accept(struct door *, struct channel *, struct hp_err *);
void unix_close(struct door *);
int unix_dial(
    struct door *, const struct address *, struct channel *, struct hp_err *);

#endif
