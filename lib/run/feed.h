#ifndef HP_RUN_FEED_H
#define HP_RUN_FEED_H

/*
 * Inputs that cannot be sought in: FIFOs, pipes, sockets, terminals.  One
 * process may feed several of them, one after the other in any order, and must
 * not wait for us to read from one while we wait for another.  So they are open
 * from the start, however late they are merged, as far as descriptors go; and
 * what comes early, when no merge has room for it, goes to a temporary file, in
 * chunks, as it may come in small pieces from many.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "run/tmpfile.h"

struct source;

struct feed {
	struct feeds *all;
	const char *path;
	int fd;	    /* -1 before it is open, and behind its end */
	bool owned; /* the descriptor */
	bool ended;
	struct source *reader; /* has a buffer for what comes; or NULL */
	uint32_t *chunk;       /* what came early: chunks of the temporary */
	size_t cap;	       /* file; and of the bytes there, */
	uint64_t got, put;     /* these are still to be read */
};

struct feeds {
	const struct tmpdirs *tmp;
	struct feed **feed; /* in the order of the arguments */
	size_t n, cap;
	size_t next;	   /* to be opened ahead */
	size_t open, most; /* descriptors */
	struct tmpfile early;
	unsigned char *buf; /* a chunk; NULL: there is no such file yet */
	uint32_t chunks;
	uint64_t kept;	   /* bytes that went there */
	double patience_s; /* of feeds_await */
};

void feeds_init(struct feeds *, const struct tmpdirs *);
void feeds_fini(struct feeds *);
/* What they take, apart from what came early. */
size_t feeds_memory(const struct feeds *);

/* Is the file one?  fd: where it is open already, or -1. */
bool feed_is(const char *path, int fd);
/* NULL with an error; path and fd are borrowed. */
struct feed *
feeds_add(struct feeds *, const char *path, int fd, struct hp_err *);

/* Without waiting for a writer; harmless if it is open. */
int feed_open(struct feed *, struct hp_err *);
/* Those whose turn comes next, as far as descriptors go. */
int feeds_open_ahead(struct feeds *, struct hp_err *);
/* Can it be read without waiting? */
bool feed_is_ready(const struct feed *);
/* Up to n bytes, 0 at the end; waits if it must. */
ssize_t feed_read(struct feed *, void *, size_t n, struct hp_err *);
/* Some of what its descriptor has goes to the temporary file; FEED_NO_ROOM if
 * there is none, and nothing was read. */
enum {
	FEED_NO_ROOM = 1
};
int feed_keep(struct feed *, struct hp_err *);

#endif
