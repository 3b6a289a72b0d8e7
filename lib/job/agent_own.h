#ifndef HP_JOB_AGENT_OWN_H
#define HP_JOB_AGENT_OWN_H

/*
 * Declarations that the files of the agent share:
 *   agent_begin.c  start, before the event loop
 *   agent.c        event loop
 *   agent_open.c   directories of the nodes
 *   agent_lock.c   locks of these directories
 *   agent_step.c   actions of a step
 *   agent_run.c    commands
 *   agent_spool.c  streams from the launcher
 *   agent_copy.c   files that are copied to and from nodes
 *   agent_said.c   standard error of commands
 *   agent_wrote.c  bytes that commands have written
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
	SOURCE_PUT    /* data on its standard output */
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
	int lock; /* descriptor of the directory's file `lock`; -1: not open */
	bool open;
};

/* A spool: a file that stores a stream from the launcher. */
struct agent_spool {
	uint32_t stream;
	size_t action; /* index of the action that reads it */
	int fd;
	char *name; /* in the node's directory; NULL: unlinked or renamed */
	bool ended;
	int error; /* errno of a failed write; 0: none */
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
	struct agent_source ended, said, put;
	/* GET as a stream: the file and the bytes still to send. */
	int source;
	uint64_t offset, left;

	struct agent_spool *spool;
	size_t nspools;
	char line[MESSAGE_LINE]; /* incomplete line of standard error */
	size_t line_len;
	uint64_t lines, dropped;
	uint64_t wrote; /* bytes, by the agent and by ended commands */
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
	double heard_s, told_s, counted_s; /* last times: launcher heard, beat
					      sent, bytes reported */
	struct agent_node *node;
	size_t nodes;
	struct agent_step *step;
	uint64_t last_id;
	uint32_t last_stream;
	bool stopping; /* `stop` came; set until all steps have ended */
	bool over;     /* leave the event loop: `end`, signal or guard lost */
	bool full;     /* the queue is full: do not read from steps */
};

/* agent_begin.c.  Even after a failure the struct is valid for cleanup. */
int agent_begin(struct agent *, const struct agent_config *, struct hp_err *);

/* agent.c */
int agent_watch(struct agent *, struct agent_source *, struct hp_err *);
void agent_unwatch(struct agent *, struct agent_source *);
int agent_send(struct agent *, const struct message *, struct hp_err *);
/* Sends a beat if one is due; called during long operations. */
int agent_pulse(struct agent *, struct hp_err *);

/* agent_open.c */
int agent_open(struct agent *, const struct message *, struct hp_err *);
/* Closes all nodes and removes directories that are not kept. */
void agent_close(struct agent *);
const struct agent_node *agent_node(const struct agent *, uint64_t rank);

/* agent_step.c.  Takes the message. */
int step_start(struct agent *, struct message *, struct hp_err *);
/* Runs actions from the current one on, until one must wait. */
int step_advance(struct agent *, struct agent_step *, struct hp_err *);
/* Ends the step because its current action failed, and reports `why`. */
int step_fail(
    struct agent *, struct agent_step *, struct hp_err *why, struct hp_err *);
int step_end(struct agent *, struct agent_step *, struct hp_err *);
/* Kills the commands of all steps. */
void step_stop_all(struct agent *);
/* Frees the steps that have ended. */
void step_sweep(struct agent *);

/* State of an action after its start. */
enum action_state {
	ACTION_DONE,
	ACTION_SKIP, /* done; skip the next action */
	ACTION_WAITS,
	ACTION_FAILED /* the reason is in `why` */
};

/* agent_check.c.  Fails with HP_INPUT if an action is invalid. */
int agent_check(const struct agent *, const struct message *, struct hp_err *);

/* agent_run.c */
enum action_state
run_begin(struct agent *, struct agent_step *, struct hp_err *why);
/* Handles the end of a command or of a copy in a child process. */
int run_ended(struct agent *, struct agent_step *, struct hp_err *);
/* Passes on data from the command's standard output. */
int run_put(struct agent *, struct agent_step *, struct hp_err *);
/* Watches the child of the step. */
int run_watch(struct agent *, struct agent_step *, struct hp_err *);

/* agent_spool.c */
int spool_init(struct agent *, struct agent_step *, struct hp_err *why);
void spool_fini(struct agent_step *);
struct agent_spool *spool_of(struct agent_step *, size_t action);
/* Stores data of a stream; 0 bytes end the stream. */
int spool_data(
    struct agent *, uint32_t stream, const void *, size_t, struct hp_err *);
/* ACTION_DONE once the stream is complete, ACTION_WAITS before. */
enum action_state
spool_state(const struct agent_spool *, const char *name, struct hp_err *why);
enum action_state
copy_put(struct agent *, struct agent_step *, struct hp_err *why);
enum action_state
copy_get(struct agent *, struct agent_step *, struct hp_err *why);
/* Sends the next bytes of the file of a GET. */
int copy_pump(struct agent *, struct agent_step *, struct hp_err *);

/* agent_said.c */
int said_read(struct agent *, struct agent_step *, struct hp_err *);
/* Reports a line of the agent itself. */
int
said_line(struct agent *, struct agent_step *, const char *, struct hp_err *);
/* Reads the rest after the end of a command, including an incomplete line. */
int said_end(struct agent *, struct agent_step *, struct hp_err *);
/* Reports how many lines were dropped, if any. */
int said_dropped(struct agent *, struct agent_step *, struct hp_err *);

/* agent_wrote.c */
/* Returns the bytes that a process and its descendants have written. */
uint64_t wrote_by(pid_t);
int wrote_tell(struct agent *, struct hp_err *);

#endif
