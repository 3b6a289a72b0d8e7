#ifndef HP_JOB_AGENT_OWN_H
#define HP_JOB_AGENT_OWN_H

/*
 * Declarations that the files of the agent share, from the lowest layer up:
 *   agent_io.c     the connection, and what the event loop waits for
 *   agent_begin.c  start, before the event loop
 *   agent_lock.c   locks of the nodes' directories
 *   agent_open.c   these directories
 *   agent_check.c  checks steps
 *   agent_said.c   standard error of commands
 *   agent_wrote.c  bytes that commands have written
 *   agent_feed.c   streams from the launcher to commands
 *   agent_spool.c  streams from the launcher to files
 *   agent_run.c    commands
 *   agent_copy.c   files that are copied to and from nodes
 *   agent_files.c  other actions on files
 *   agent_step.c   steps
 *   agent.c        event loop
 * Each file uses only files above it in this list.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stdint.h>

#include "job/agent.h"
#include "job/child.h"
#include "job/wire.h"

#define AGENT_LINES 10000 /* per step; later ones are only counted */

/* Descriptors that the event loop waits for. */
enum agent_source_kind {
	SOURCE_IN,
	SOURCE_OUT,
	SOURCE_SIGNAL,
	SOURCE_GUARD,
	SOURCE_ENDED, /* the command of a step ended */
	SOURCE_SAID,  /* a line on its standard error */
	SOURCE_PUT,   /* data on its standard output */
	SOURCE_FEED   /* the pipe to the command's standard input has room */
};

struct agent_step;

struct agent_source {
	enum agent_source_kind kind;
	struct agent_step *step; /* NULL: the agent's own */
	int fd;			 /* -1: not in use */
	bool waits;		 /* registered with epoll */
};

struct agent_node {
	uint64_t rank;
	char *dir, *beside;
	/* descriptor of the file `lock` in the directory; -1: not open */
	int lock;
	bool open;
};

/* A spool: a file on the node that stores a stream from the launcher. */
struct agent_spool {
	uint32_t stream;
	size_t action; /* index of the action that reads it */
	int fd;
	/*
	 * name of the file in the node's directory; NULL: the file was unlinked
	 * or renamed
	 */
	char *name;
	bool ended;
	int error; /* errno of a failed write; 0: none */
};

/*
 * A feed: passes a stream from the launcher to the standard input of a command.
 * The agent reads the stream even while the command reads nothing. So credit
 * limits how many bytes the launcher may send ahead.
 */
struct agent_feed {
	uint32_t stream;
	size_t action; /* index of the command */
	/* ring buffer of WIRE_WINDOW bytes; NULL: not needed yet */
	unsigned char *v;
	/*
	 * The bytes that the pipe has not taken yet: their offset in the ring
	 * buffer, and their number.
	 */
	size_t pos, held;
	size_t credit; /* bytes that the launcher may still send */
	/* bytes that the pipe took since the last report to the launcher */
	size_t taken;
	bool ended;
	bool dropped; /* the command does not read any more */
};

struct agent_step {
	struct agent_step *next;
	struct message m; /* its message `start` */
	const char *dir;
	int dirfd;
	size_t at; /* index of the current action */
	bool waits, done;
	bool killed; /* by `stop` of the launcher */

	struct child child;
	struct agent_source ended, said, put, into;
	/*
	 * Used while a GET action sends a file as a stream: the file's
	 * descriptor, and the part that is still to be sent.
	 */
	int source;
	uint64_t offset, left;

	struct agent_spool *spool;
	size_t nspools;
	struct agent_feed *feed;
	size_t nfeeds;
	char line[MESSAGE_LINE]; /* incomplete line of standard error */
	size_t line_len;
	uint64_t lines, dropped;
	/*
	 * bytes written for this step: by the agent itself, and by the ended
	 * commands of the step
	 */
	uint64_t wrote;
	uint64_t code, signal;
	double user_s, system_s;
	uint64_t *size;
	size_t nsizes;
};

struct agent {
	const struct agent_config *c;
	struct wire wire;
	int epoll, signals;
	struct agent_source in, out, signal, guard;
	bool has_opened, keep, drop, progress;
	double timeout_s;
	/*
	 * when the agent last heard the launcher, last sent a beat, and last
	 * reported how many bytes the steps have written
	 */
	double heard_s, told_s, counted_s;
	struct agent_node *node;
	size_t nodes;
	struct agent_step *step;
	uint64_t last_id;
	uint32_t last_stream;
	/* the launcher has sent `stop`, and some steps have not ended yet */
	bool stopping;
	/*
	 * the event loop must end: the launcher sent `end`, a signal arrived,
	 * or the guard ended
	 */
	bool over;
	/* the queue to the launcher is full, so output of steps is not read */
	bool full;
};

/* State of an action. It decides how the step goes on. */
enum action_state {
	ACTION_READY, /* it can begin */
	ACTION_DONE,
	ACTION_SKIP, /* done; skip the next action */
	ACTION_WAITS,
	/*
	 * the command of the action failed; the step's `code` and `signal` say
	 * how
	 */
	ACTION_ENDED,
	ACTION_FAILED, /* the reason is in `why` */
	/* the agent itself cannot go on; the reason is in `why` */
	ACTION_BROKE
};

/* agent_io.c */
int agent_watch(struct agent *, struct agent_source *, struct hp_err *);
void agent_unwatch(struct agent *, struct agent_source *);
/* Queues a message. */
int agent_send(struct agent *, const struct message *, struct hp_err *);
/* Writes as much of the queue as the connection to the launcher takes. */
int agent_flush(struct agent *, struct hp_err *);
/* Returns the seconds between two beats. */
double agent_beat_every(const struct agent *);
/*
 * Sends a beat, which shows that the agent is alive, if one is due. Long
 * operations call this, because the event loop cannot run meanwhile.
 */
int agent_pulse(struct agent *, struct hp_err *);

/*
 * agent_begin.c. After a failure of this function, the struct can still be
 * cleaned up.
 */
int agent_begin(struct agent *, const struct agent_config *, struct hp_err *);

/* agent_open.c */
int agent_open(struct agent *, const struct message *, struct hp_err *);
/* Closes all nodes and removes directories that are not kept. */
void agent_close(struct agent *);
const struct agent_node *agent_node(const struct agent *, uint64_t rank);

/* agent_check.c.  Fails with HP_INPUT if an action is invalid. */
int agent_check(const struct agent *, const struct message *, struct hp_err *);

/* agent_said.c */
int said_read(struct agent *, struct agent_step *, struct hp_err *);
/* Reports a line of the agent itself. */
int
said_line(struct agent *, struct agent_step *, const char *, struct hp_err *);
/*
 * Reads what a command left in its pipe when it ended, including an incomplete
 * line.
 */
int said_end(struct agent *, struct agent_step *, struct hp_err *);
/* Reports how many lines of the command were dropped, if any were. */
int said_dropped(struct agent *, struct agent_step *, struct hp_err *);

/* agent_wrote.c */
/*
 * Returns the number of bytes that a process and its descendants have written.
 */
uint64_t wrote_by(pid_t);
int wrote_tell(struct agent *, struct hp_err *);

/* agent_feed.c */
int feed_add(
    struct agent_step *, uint32_t stream, size_t action, struct hp_err *why);
void feed_fini(struct agent_step *);
/*
 * The agent calls feed_begin when the command of the step's current action has
 * started, and feed_end when that command has ended.
 */
int feed_begin(struct agent *, struct agent_step *, struct hp_err *);
void feed_end(struct agent *, struct agent_step *);
/*
 * Writes bytes from the feed of the step's current command to the command's
 * pipe. Closes the pipe after the last byte of the stream.
 */
int feed_push(struct agent *, struct agent_step *, struct hp_err *);
/* Passes data of the stream to the feed. 0 bytes mean the end of the stream. */
int feed_data(struct agent *, struct agent_step *, struct agent_feed *,
    const unsigned char *, size_t, struct hp_err *);

/* agent_spool.c */
int spool_init(struct agent *, struct agent_step *, struct hp_err *why);
void spool_fini(struct agent_step *);
struct agent_spool *spool_of(struct agent_step *, size_t action);
/*
 * Stores data of a stream in its spool. 0 bytes mean the end of the stream.
 * Sets *ready to the step that waited for this stream and can now continue, or
 * to NULL.
 */
int spool_data(struct agent *, uint32_t stream, const void *, size_t,
    struct agent_step **ready, struct hp_err *);
/*
 * Returns the state of the action that uses the spool: ACTION_DONE if the
 * stream is complete, ACTION_WAITS if it is not.
 */
enum action_state
spool_state(const struct agent_spool *, const char *name, struct hp_err *why);

/* agent_run.c */
enum action_state
run_begin(struct agent *, struct agent_step *, struct hp_err *why);
/* Handles the end of a command or of a copy in a child process. */
enum action_state
run_ended(struct agent *, struct agent_step *, struct hp_err *why);
/* Sends the launcher data that the command wrote to its standard output. */
int run_put(struct agent *, struct agent_step *, struct hp_err *);
/* Watches the child of the step. */
int run_watch(struct agent *, struct agent_step *, struct hp_err *);

/* agent_copy.c */
enum action_state
copy_put(struct agent *, struct agent_step *, struct hp_err *why);
enum action_state
copy_get(struct agent *, struct agent_step *, struct hp_err *why);
/* Sends the launcher the next bytes of the file that a GET action reads. */
enum action_state
copy_pump(struct agent *, struct agent_step *, struct hp_err *why);

/* agent_files.c: the other actions */
enum action_state
files_begin(struct agent *, struct agent_step *, struct hp_err *why);

/* agent_step.c.  Takes the message. */
int step_start(struct agent *, struct message *, struct hp_err *);
/*
 * Continues a step after its current action has reached the given state.
 * Returns when the step must wait for an action or has ended.
 */
int step_go_on(struct agent *, struct agent_step *, enum action_state,
    struct hp_err *why, struct hp_err *);
/*
 * Handles data of a stream from the launcher. 0 bytes mean the end of the
 * stream.
 */
int step_data(
    struct agent *, uint32_t stream, const void *, size_t, struct hp_err *);
/* Kills the commands of all steps. */
void step_stop_all(struct agent *);
/* Frees the steps that have ended. */
void step_sweep(struct agent *);

#endif
