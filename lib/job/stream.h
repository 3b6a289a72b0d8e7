#ifndef HP_JOB_STREAM_H
#define HP_JOB_STREAM_H

/*
 * Streams of bytes between files of the launcher and agents of other machines:
 * the data of a step.  A stream goes one way and has a number, which no other
 * stream of the run has.  Files are open only while bytes move, since a stage
 * may have thousands of streams.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "job/machine.h"

struct stream {
	struct machine *machine;
	bool sends;    /* from a file to the agent; else from it */
	bool standard; /* the launcher's standard output */
	bool truncate, append;
	const char *file; /* relative to the work directory, or absolute */
	uint64_t at;	  /* next byte of the file */
	uint64_t left;	  /* bytes; UINT64_MAX: until it ends */
	size_t task;	  /* whose stream it is */

	uint32_t number;
	int fd; /* -1: not open */
	bool ended;
	bool dead;	      /* what comes is dropped */
	struct stream *next;  /* of the ring machine->sending */
	unsigned char *waits; /* for room on standard output */
	size_t nwaits;
};

struct streams {
	struct stream **v;
	size_t n, cap;
	uint32_t first; /* number of the first */
	int work;	/* descriptor of the work directory */
	size_t chunk;	/* bytes that are read at once */
	unsigned char *buf;
	size_t waiting; /* streams that wait for room */
	bool regular;	/* standard output never has to be waited for */
};

/* machines: how many may have data on their way at the same time. */
int streams_init(struct streams *, int work, size_t machines, struct hp_err *);
void streams_fini(struct streams *);
/* A copy, with a number; one that sends is in its machine's ring. */
struct stream *
streams_add(struct streams *, const struct stream *, struct hp_err *);
/* NULL: no stream of this stage has that number. */
struct stream *streams_find(const struct streams *, uint64_t number);
/* From now on nothing is sent, and what comes is dropped. */
void streams_kill(struct streams *);
/* Closes all; their numbers are not used again. */
void streams_clear(struct streams *);

/*
 * Queues the next bytes of the machine's streams, each in its turn, if nothing
 * is queued.  *failed: the stream whose file could not be read, at -1.
 */
int streams_send(struct streams *, struct machine *, struct stream **failed,
    struct hp_err *);
/*
 * Takes bytes that came; none: the stream ends.  0; 1: there is no room, the
 * machine is to wait; -1 and HP_INPUT: the agent was not to send that; -1 and
 * other kinds: the file cannot be written.
 */
int stream_take(struct streams *, struct stream *, const unsigned char *,
    size_t, struct hp_err *);
/* Standard output has room again: as stream_take. */
int stream_go_on(struct streams *, struct stream *, struct hp_err *);

#endif
