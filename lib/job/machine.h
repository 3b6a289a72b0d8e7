#ifndef HP_JOB_MACHINE_H
#define HP_JOB_MACHINE_H

/*
 * A machine as the launcher sees it: its login, the connection to its agent,
 * and the state of both.  The protocol is handled elsewhere.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "job/chatter.h"
#include "job/dial.h"
#include "job/launch.h"
#include "job/wire.h"

enum machine_state {
	MACHINE_AWAY,  /* before the first login or between tries */
	MACHINE_LOGIN, /* login started, no hello from the agent */
	/*
	 * the agent was asked to open a port, or the launcher connects to it
	 */
	MACHINE_DIALING,
	MACHINE_OPENING, /* the agent opens the nodes' directories */
	MACHINE_READY,
	MACHINE_ENDING, /* the agent was told to end */
	MACHINE_GONE	/* refused, lost, or ended */
};

struct stream;

/* Bytes to a machine that are to arrive together with those of others: pace.h.
 */
struct pace {
	uint64_t bytes, taken; /* all, and those that commands have taken */
	bool held;	       /* nothing is sent for now */
};

struct machine {
	const char *name; /* name of its first node, for messages */
	const char *host; /* NULL: this machine */
	const struct launch_method *method;
	const int *rank; /* its nodes, ascending */
	size_t nodes;

	enum machine_state state;
	struct login_process login; /* pid -1: none; descriptors -1: closed */
	/*
	 * A direct connection, used in place of the login's, or one that is
	 * being made (state MACHINE_DIALING). NULL: none.
	 */
	struct dial *dial;
	/* the login's connection if the direct one is used; -1: not */
	int login_wire;
	struct wire wire;
	uint32_t events; /* epoll events of its connection */
	bool paused;	 /* do not read from it for now */
	bool ahead;	 /* in the loop's list of unread machines */
	struct machine *next_ahead;
	bool lost;	 /* connection lost unexpectedly */
	bool hung;	 /* its agent was told to end, but did not */
	bool asked;	 /* another login was tried after the loss */
	bool stopping;	 /* `stop` sent, no answer yet */
	size_t unopened; /* nodes without an answer */
	bool at_fault;	 /* a node could not be opened */
	unsigned faults; /* messages that told why, about the last node */
	bool told;	 /* its agent has received `open` */
	/*
	 * An agent that had answered has lost its connection before all
	 * machines were ready. The machine has got a second time limit for its
	 * login.
	 */
	bool rebegun;
	/*
	 * Number of the srun command that starts the machine's agent. 0: no
	 * srun command yet, or a login starts the agent.
	 */
	size_t srun;
	struct chatter chatter;
	struct stream *sending; /* ring of streams to it; NULL: none */
	struct pace pace;

	/* By the loop's clock (loop.h). */
	double heard_s, beat_s;
	/* start times of the first login and of the current login */
	double first_s, login_s;
	double opening_s; /* when its agent was told to open directories */
	/* in state AWAY: time of the next login attempt; 0: not set yet */
	double again_s;
	/*
	 * in state LOGIN: time at which the connection of the login ended; 0:
	 * it is open
	 */
	double closed_s;
	unsigned tries;
};

void machine_init(struct machine *);
/* Kills the login, if there is one. */
void machine_fini(struct machine *);

/*
 * Starts a login to the machine. If it succeeds, the caller must call
 * loop_watch.
 */
int
machine_login(struct machine *, const struct launch_spec *, struct hp_err *);
/* Reads from the login's standard error. Returns false at the end of file. */
bool machine_hear(struct machine *,
    void (*show)(void *context, const char *line, size_t len), void *context);
/*
 * Returns whether the login has ended. If so, reaps it and sets *code to its
 * exit status, or to 128 plus the number of the signal that ended it.
 */
bool machine_ended(struct machine *, int *code);
/*
 * Uses the machine's direct connection from now on. The agent has proven that
 * it knows the key. The login's connection stays open, because the agent ends
 * if it is closed. loop_go_direct calls this.
 */
void machine_go_direct(struct machine *);
/* Gives up the direct connection that is being made. */
void machine_hang_up(struct machine *);
/*
 * Closes the connection to the machine. The agent then kills the machine's
 * steps and cleans up.
 */
void machine_close(struct machine *);
/* Kills the login process (ssh) and its session, and reaps the process. */
void machine_kill(struct machine *);

static inline bool
machine_connected(const struct machine *m)
{
	return m->login.wire != -1;
}

#endif
