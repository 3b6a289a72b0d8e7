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
	CALLERS_NONE, /* nothing has happened that the caller must handle */
	CALLERS_NEW,  /* fd: a new connection, to be watched */
	/*
	 * The other end of the connection `fd` has proven to be the agent of
	 * node `name`. The connection now belongs to the code that called
	 * callers_read, which must close it.
	 */
	CALLERS_PROVEN,
	/*
	 * A program connected that did not know the key of the run. Its
	 * connection `fd` is closed already.
	 */
	CALLERS_FALSE
};

struct callers_news {
	enum callers_event event;
	int fd;
	char name[CALL_NAME + 1];
	char address[64]; /* address of the other end */
};

/*
 * Makes a new secret key and starts to listen. `most` limits how many
 * connections may be open at the same time that have not yet proven knowledge
 * of the key.  One more replaces the one that has waited longest.
 */
int callers_init(struct callers *, size_t most, struct hp_err *);
/* Closes the listener and all connections. Harmless on a zeroed struct. */
void callers_fini(struct callers *);
/* Returns whether the descriptor is the listener or a connection. */
bool callers_has(const struct callers *, int fd);
/* Handles a readable descriptor. */
struct callers_news callers_read(struct callers *, int fd, double now_s);
/*
 * Closes connections whose other ends have not proven in time that they know
 * the key.
 */
void callers_expire(struct callers *, double now_s);

#endif
