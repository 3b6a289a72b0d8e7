#ifndef HP_RUN_FEED_H
#define HP_RUN_FEED_H

/*
 * Inputs that cannot seek: FIFOs, pipes, sockets and terminals. One process may
 * write several of them, in any order, and would block if we read only the
 * input that the merge needs. So all feeds are opened at the start, as far as
 * the descriptor limit allows. Data that arrives while no merge has a buffer
 * for it goes to a temporary file, the spool. The spool consists of chunks, as
 * data may arrive in small pieces from many feeds.
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
	/* descriptor of the input; -1 before it is opened and after its end */
	int fd;
	bool owned; /* we opened the descriptor and close it */
	bool ended;
	/*
	 * The merge input (source) that takes new data of this feed into its
	 * buffer; NULL if no merge reads the feed now.
	 */
	struct source *reader;
	/*
	 * [cap]: numbers of the chunks in the spool file that hold data of this
	 * feed
	 */
	uint32_t *chunk;
	size_t cap;
	/*
	 * number of bytes read from the feed's chunks, and number of bytes
	 * written to these chunks
	 */
	uint64_t got, put;
};

struct feeds {
	const struct tmpdirs *tmp;
	struct feed **feed; /* in the order of the arguments */
	size_t n, cap;
	size_t next;	   /* index of the next feed to open */
	size_t open, most; /* descriptors in use, and the limit */
	struct tmpfile spool;
	/*
	 * Buffer for one chunk of the spool file, or NULL if there is no spool
	 * file yet.
	 */
	unsigned char *buf;
	uint32_t chunks;
	uint64_t spooled; /* bytes written to the spool */
	double grace_s;	  /* the next grace period of feeds_await, seconds */
};

void feeds_init(struct feeds *, const struct tmpdirs *);
void feeds_fini(struct feeds *);
/*
 * Returns the memory in bytes that all feeds (inputs that cannot seek) take,
 * without the data in the spool file.
 */
size_t feeds_memory(const struct feeds *);

/*
 * Returns true if the file cannot seek. fd is an open descriptor of the file,
 * or -1.
 */
bool feed_is(const char *path, int fd);
/*
 * Adds an input that cannot seek. The caller keeps path and fd valid. Returns
 * NULL on an error.
 */
struct feed *
feeds_add(struct feeds *, const char *path, int fd, struct hp_err *);

/*
 * Opens the input without waiting for a process that writes to it. Does nothing
 * if the input is already open.
 */
int feed_open(struct feed *, struct hp_err *);
/*
 * Opens inputs in the order of the arguments until the descriptor limit is
 * reached.
 */
int feeds_open_ahead(struct feeds *, struct hp_err *);
/* Returns true if feed_read would not block. */
bool feed_is_ready(const struct feed *);
/* Reads up to n bytes; blocks if no data is ready. Returns 0 at the end. */
ssize_t feed_read(struct feed *, void *, size_t n, struct hp_err *);
/*
 * Copies some data from the input to the spool, a temporary file. If the disk
 * is full, reads nothing and returns FEED_SPOOL_FULL.
 */
enum {
	FEED_SPOOL_FULL = 1
};
int feed_spool(struct feed *, struct hp_err *);

#endif
