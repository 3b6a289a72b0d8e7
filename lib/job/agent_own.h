#ifndef HP_JOB_AGENT_OWN_H
#define HP_JOB_AGENT_OWN_H

/*
 * The types that the files of the agent share. The files are, from the lowest
 * layer up: agent_io, agent_begin, agent_listen, agent_lock, agent_open,
 * agent_check, agent_said, agent_wrote, agent_feed, agent_spool, agent_run,
 * agent_copy, agent_files, agent_step and agent, which has the event loop. Each
 * file uses only files before it.
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
	SOURCE_LOGIN,  /* the login, after a direct connection was made */
	SOURCE_PORT,   /* the port to which the launcher connects */
	SOURCE_CALLER, /* a connection to this port */
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
	struct message m; /* the message `start`, which describes the step */
	const char *dir;
	int dirfd;
	size_t at; /* index of the current action */
	bool waits, done;
	bool killed; /* the launcher has asked to stop the step (`stop`) */

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
	/*
	 * The direct connection (agent_listen.h): NULL, or its port and
	 * connections. Once the launcher has connected, `in` and `out` are that
	 * connection, and these two are the descriptors of the login.
	 */
	struct agent_listen *listen;
	struct agent_source login;
	int login_out;
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
	/* the connection took no more bytes: wait for an event before sending
	 */
	bool blocked;
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
	/* the agent could not carry out the action; the reason is in `why` */
	ACTION_FAILED,
	/* the agent itself cannot go on; the reason is in `why` */
	ACTION_BROKE
};

#endif
