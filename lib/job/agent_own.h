#ifndef HP_JOB_AGENT_OWN_H
#define HP_JOB_AGENT_OWN_H

/*
 * What the files of the agent share: agent_begin.c has what comes before the
 * loop of agent.c, agent_open.c and agent_lock.c the directories of the nodes,
 * agent_step.c the actions of a step, agent_run.c its commands, agent_copy.c
 * the files that are put and got, agent_said.c what commands say, agent_wrote.c
 * how much they have written.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stdint.h>

#include "job/agent.h"
#include "job/child.h"
#include "job/wire.h"

#define AGENT_LINES 10000 /* said of a step; more are counted only */

/* What of a step an event loop waits for. */
enum agent_source_kind {
	SOURCE_IN,
	SOURCE_OUT,
	SOURCE_SIGNAL,
	SOURCE_GUARD,
	SOURCE_ENDED, /* of a step: its command has, */
	SOURCE_SAID,  /* it has said something, */
	SOURCE_PUT    /* or put something out */
};

struct agent_step;

struct agent_source {
	enum agent_source_kind kind;
	struct agent_step *step; /* NULL: the agent's own */
	int fd;			 /* -1: not in use */
	bool waits;		 /* the loop waits for it */
};

struct agent_node {
	uint64_t rank;
	char *dir, *beside;
	int lock; /* descriptor of the directory's file `lock`; -1: not open */
	bool open;
};

/* A stream from the launcher: a file that is filled while its data come. */
struct agent_spool {
	uint32_t stream;
	size_t action; /* that it is for */
	int fd;
	char *name; /* in the directory; NULL: it has none any more */
	bool ended;
	int error; /* errno of a write that failed */
};

struct agent_step {
	struct agent_step *next;
	struct message m; /* its `start` */
	const char *dir;
	int dirfd;
	size_t at; /* the action that is under way */
	bool waits, done;
	bool killed; /* because the launcher said so */

	struct child child;
	struct agent_source ended, said, put;
	/* GET as a stream: what is still to be sent. */
	int source;
	uint64_t offset, left;

	struct agent_spool *spool;
	size_t nspools;
	char line[MESSAGE_LINE]; /* that has begun */
	size_t line_len;
	uint64_t lines, dropped;
	uint64_t wrote; /* by the agent, and by commands that have ended */
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
	double heard_s, told_s, counted_s; /* the launcher, beat, wrote */
	struct agent_node *node;
	size_t nodes;
	struct agent_step *step;
	uint64_t last_id;
	uint32_t last_stream;
	bool stopping; /* until all steps have ended */
	bool over;     /* the launcher said so, or was lost */
	bool full;     /* what steps say and put out has to wait */
};

/* agent_begin.c.  The struct can be finished also after a failure. */
int agent_begin(struct agent *, const struct agent_config *, struct hp_err *);

/* agent.c */
int agent_watch(struct agent *, struct agent_source *, struct hp_err *);
void agent_unwatch(struct agent *, struct agent_source *);
int agent_send(struct agent *, const struct message *, struct hp_err *);
/* While it waits for something else: a beat when it is time for one. */
int agent_pulse(struct agent *, struct hp_err *);

/* agent_open.c */
int agent_open(struct agent *, const struct message *, struct hp_err *);
/* Removes what is not to be kept. */
void agent_close(struct agent *);
const struct agent_node *agent_node(const struct agent *, uint64_t rank);

/* agent_step.c.  Takes the message. */
int step_start(struct agent *, struct message *, struct hp_err *);
/* Goes on from the action that is under way, until one has to wait. */
int step_advance(struct agent *, struct agent_step *, struct hp_err *);
/* The action under way has failed; for its own reasons, which are said. */
int step_fail(
    struct agent *, struct agent_step *, struct hp_err *why, struct hp_err *);
int step_end(struct agent *, struct agent_step *, struct hp_err *);
/* Kills the commands of all. */
void step_stop_all(struct agent *);
/* Frees those that are done. */
void step_sweep(struct agent *);

/* What became of an action that was begun. */
enum action_state {
	ACTION_DONE,
	ACTION_SKIP, /* done, and the next one is not to be */
	ACTION_WAITS,
	ACTION_FAILED /* and why is in `why` */
};

/* agent_check.c.  HP_INPUT: the actions of a step make no sense. */
int agent_check(const struct agent *, const struct message *, struct hp_err *);

/* agent_run.c */
enum action_state
run_begin(struct agent *, struct agent_step *, struct hp_err *why);
/* A command or a copy by a process has ended. */
int run_ended(struct agent *, struct agent_step *, struct hp_err *);
/* It has put something out. */
int run_put(struct agent *, struct agent_step *, struct hp_err *);
/* Watches the child of the step. */
int run_watch(struct agent *, struct agent_step *, struct hp_err *);

/* agent_spool.c */
int spool_init(struct agent *, struct agent_step *, struct hp_err *why);
void spool_fini(struct agent_step *);
struct agent_spool *spool_of(struct agent_step *, size_t action);
/* Data of a stream came: none, it has ended. */
int spool_data(
    struct agent *, uint32_t stream, const void *, size_t, struct hp_err *);
/* Has all come? */
enum action_state
spool_state(const struct agent_spool *, const char *name, struct hp_err *why);
enum action_state
copy_put(struct agent *, struct agent_step *, struct hp_err *why);
enum action_state
copy_get(struct agent *, struct agent_step *, struct hp_err *why);
/* Sends a part of what is got; *more: some is left. */
int copy_pump(struct agent *, struct agent_step *, struct hp_err *);

/* agent_said.c */
int said_read(struct agent *, struct agent_step *, struct hp_err *);
/* A line of the agent's own. */
int
said_line(struct agent *, struct agent_step *, const char *, struct hp_err *);
/* What is there at the end of a command, and a line without its newline. */
int said_end(struct agent *, struct agent_step *, struct hp_err *);
/* How many lines were not told, if any. */
int said_dropped(struct agent *, struct agent_step *, struct hp_err *);

/* agent_wrote.c */
/* Bytes that a process and its descendants have written so far. */
uint64_t wrote_by(pid_t);
int wrote_tell(struct agent *, struct hp_err *);

#endif
