#ifndef HP_JOB_STREAM_H
#define HP_JOB_STREAM_H

/*
 * Streams carry data of a step between files of the launcher and agents. An
 * agent of the launcher's machine has streams only for parts of files. A stream
 * has one direction and a number that is unique in the run. A file is open only
 * while bytes move, because a stage may have thousands of streams.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "job/machine.h"
#include "job/pace.h"
#include "job/step.h"

struct stream {
	struct machine *machine;
	/*
	 * the launcher sends the file to the agent; false: the agent sends data
	 * to the launcher
	 */
	bool sends;
	bool standard; /* the launcher's standard output */
	bool truncate, append;
	const char *file; /* relative to the work directory, or absolute */
	uint64_t at;	  /* next byte of the file */
	uint64_t left;	  /* bytes to come; UINT64_MAX: until the end */
	uint64_t most;	  /* bytes that may come until the end; 0: no limit */
	/*
	 * the launcher sends only as many bytes as the agent has given credit
	 * for: hp-agent(5)
	 */
	bool limited;
	/* arrives together with the paced streams of other machines (pace.h) */
	bool paced;
	const struct tap *tap; /* sees the bytes that pass; NULL: none */
	/*
	 * The stream carries the output of a command, which is written to a
	 * part of the file. The stream may have fewer bytes than `left`,
	 * because the command may fail.
	 */
	bool part;
	/*
	 * `left` comes from other machines.  So this machine keeps to the
	 * protocol if it sends more, but the step has failed.
	 */
	bool claimed;
	size_t task; /* index of its task */

	uint32_t number;
	uint64_t came; /* bytes received */
	uint64_t open; /* bytes sent without credit for more */
	/*
	 * the stream waits for credit, so it is not in the ring of sending
	 * streams
	 */
	bool waiting;
	int fd; /* -1: not open */
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
	struct paces paces;
	/* standard output is a file, so writing to it never blocks */
	bool regular;
};

/*
 * `machines` is the maximum number of machines that may have data in transit at
 * the same time.
 */
void streams_init(struct streams *, int work, size_t machines);
void streams_fini(struct streams *);
/*
 * Adds a copy of the stream and gives it a new number. If the launcher sends
 * the stream, the copy joins the circular list of streams to that machine.
 * These streams take turns to send.
 */
struct stream *
streams_add(struct streams *, const struct stream *, struct hp_err *);
/*
 * Returns the stream with that number. Returns NULL if this stage has no such
 * stream.
 */
struct stream *streams_find(const struct streams *, uint64_t number);
/*
 * Adds the credit that the agent has given for more bytes of a stream. Fails
 * with HP_INPUT if the agent cannot have taken so many bytes.
 */
int stream_credit(
    struct streams *, struct stream *, uint64_t bytes, struct hp_err *);
/* Stops sending the stream, because its step has ended. */
void stream_stop(struct streams *, struct stream *);
/*
 * Drops what arrives of the stream from now on, because its step was dropped.
 * Another step may write to the same place.
 */
void stream_drop(struct streams *, struct stream *);
/* Stops sending all streams. Data that arrive from now on are dropped. */
void streams_kill(struct streams *);
/* Closes all streams. Later streams get new numbers. */
void streams_clear(struct streams *);

/*
 * Queues the next bytes of one of the streams to the machine. The streams take
 * turns. Queues nothing if the machine is held back (pace.h), if its queue is
 * long enough, or if the stream waits for credit. Sets *of to the stream whose
 * bytes were queued, or to NULL. On error, *of is the stream that failed.
 */
int streams_send(
    struct streams *, struct machine *, struct stream **of, struct hp_err *);
/*
 * Handles bytes that have arrived; 0 bytes end the stream. Returns 0, or 1 if
 * standard output is full: then the launcher must stop reading from the
 * machine. Returns -1 with HP_INPUT if the agent was not allowed to send the
 * bytes. Returns -1 with another kind of error if the file cannot be written.
 */
int stream_take(struct streams *, struct stream *, const unsigned char *,
    size_t, struct hp_err *);
/*
 * Writes bytes that wait for room in standard output. The caller calls this
 * when standard output has room again. Returns the same values as stream_take.
 */
int stream_go_on(struct streams *, struct stream *, struct hp_err *);

#endif
