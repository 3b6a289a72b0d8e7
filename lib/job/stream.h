#ifndef HP_JOB_STREAM_H
#define HP_JOB_STREAM_H

/*
 * Streams carry data of a step between files of the launcher and agents of
 * other machines. A stream has one direction and a number that is unique in the
 * run. A file is open only while bytes move, because a stage may have thousands
 * of streams.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "job/machine.h"
#include "job/step.h"

struct stream {
	struct machine *machine;
	/* the stream sends a file to the agent; false: the agent sends */
	bool sends;
	bool standard; /* the launcher's standard output */
	bool truncate, append;
	const char *file; /* relative to the work directory, or absolute */
	uint64_t at;	  /* next byte of the file */
	uint64_t left;	  /* bytes to come; UINT64_MAX: until the end */
	/* the agent limits what it holds of the stream: hp-agent(5), credit */
	bool limited;
	const struct tap *tap; /* sees the bytes that pass; NULL: none */
	/*
	 * The agent sends the output of a command, for a part of the file.  It
	 * may be shorter than `left`, as the command may fail.
	 */
	bool part;
	size_t task; /* index of its task */

	uint32_t number;
	uint64_t open; /* bytes sent without credit for more */
	bool waiting;  /* out of the ring until there is credit */
	int fd;	       /* -1: not open */
	bool ended;
	bool dead;	      /* drop arriving data */
	struct stream *next;  /* in the ring machine->sending */
	unsigned char *waits; /* bytes that wait for standard output */
	size_t nwaits;
};

struct streams {
	struct stream **v;
	size_t n, cap;
	uint32_t first; /* number of the first stream */
	int work;	/* descriptor of the work directory */
	size_t chunk;	/* bytes per read */
	size_t waiting; /* streams that wait for standard output */
	/* standard output is a file, so writing to it never blocks */
	bool regular;
};

/* machines: how many machines may have data in transit at the same time. */
void streams_init(struct streams *, int work, size_t machines);
void streams_fini(struct streams *);
/*
 * Adds a copy of the stream with a new number. If the stream sends, it joins
 * the ring of its machine.
 */
struct stream *
streams_add(struct streams *, const struct stream *, struct hp_err *);
/* Returns the stream with that number, or NULL if this stage has none. */
struct stream *streams_find(const struct streams *, uint64_t number);
/*
 * Takes the agent's credit for more bytes of a stream.  Fails with HP_INPUT if
 * the agent cannot have taken so many bytes.
 */
int stream_credit(struct stream *, uint64_t bytes, struct hp_err *);
/* Stops sending the stream, because its step has ended. */
void stream_stop(struct streams *, struct stream *);
/* Stops sending. From now on, arriving data is dropped. */
void streams_kill(struct streams *);
/* Closes all streams.  Their numbers are not used again. */
void streams_clear(struct streams *);

/*
 * If the machine's queue is short, queues the next bytes of its streams in
 * turn. *of is the stream whose bytes were queued, or NULL. If it returns -1,
 * *of is the stream whose file could not be read.
 */
int streams_send(
    struct streams *, struct machine *, struct stream **of, struct hp_err *);
/*
 * Takes bytes that have arrived; 0 bytes end the stream. Returns 0, or 1 if
 * standard output is full and the machine must wait. Returns -1 with HP_INPUT
 * if the agent must not send them, or with another kind if the file cannot be
 * written.
 */
int stream_take(struct streams *, struct stream *, const unsigned char *,
    size_t, struct hp_err *);
/*
 * Writes the bytes that wait for standard output. Call this when it has room
 * again. Returns the same values as stream_take.
 */
int stream_go_on(struct streams *, struct stream *, struct hp_err *);

#endif
