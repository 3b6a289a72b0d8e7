#ifndef HP_JOB_CALLERS_H
#define HP_JOB_CALLERS_H

/*
 * The launcher's side of call.h: a listener, and connections whose other ends
 * have not yet proven that they are agents of this run. Anybody can connect, so
 * these connections are limited in number and time. Nothing here blocks.
 */

#include <stddef.h>

#include "base/err.h"
#include "job/call.h"

struct caller;

struct callers {
	int listener; /* -1: none */
	struct call_to to;
	struct caller *caller; /* list */
	size_t n, most;
};

enum callers_event {
	CALLERS_NONE,	/* nothing for the caller of the function to do */
	CALLERS_NEW,	/* fd: a new connection, to be watched */
	CALLERS_PROVEN, /* fd: the agent of `name`; now the caller's */
	CALLERS_FALSE	/* fd was closed: an end without the key */
};

struct callers_news {
	enum callers_event event;
	int fd;
	char name[CALL_NAME + 1];
	char address[64]; /* of the other end */
};

/* Listens with a new key, for at most this many connections at a time. */
int callers_init(struct callers *, size_t most, struct hp_err *);
/* Closes the listener and all connections. Harmless on a zeroed struct. */
void callers_fini(struct callers *);
/* Tells whether the descriptor is the listener or a connection. */
bool callers_has(const struct callers *, int fd);
/* Handles a readable descriptor. */
struct callers_news callers_read(struct callers *, int fd, double now_s);
/* Closes connections that are unproven for too long. */
void callers_expire(struct callers *, double now_s);

#endif
