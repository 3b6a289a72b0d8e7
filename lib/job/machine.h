#ifndef HP_JOB_MACHINE_H
#define HP_JOB_MACHINE_H

/*
 * A machine as the launcher sees it: the login that leads there, the connection
 * to its agent, and how far both have come.  What is said on the connection is
 * not known here.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "job/chatter.h"
#include "job/launch.h"
#include "job/wire.h"

enum machine_state {
	MACHINE_AWAY,	 /* no login yet, or it waits for its next try */
	MACHINE_LOGIN,	 /* started; its agent has not said hello */
	MACHINE_OPENING, /* the agent opens the nodes' directories */
	MACHINE_READY,
	MACHINE_ENDING, /* the agent was told to end */
	MACHINE_GONE	/* refused, lost, or ended */
};

struct stream;

struct machine {
	const char *name; /* of its first node, for messages */
	const char *host; /* NULL: this machine */
	const struct launch_method *method;
	const int *rank; /* its nodes, ascending */
	size_t nodes;

	enum machine_state state;
	struct login_process login; /* pid -1: none; descriptors -1: closed */
	struct wire wire;
	uint32_t events; /* that its connection is watched for */
	bool paused;	 /* what it sends has to wait */
	bool lost;	 /* went without being told to */
	bool asked;	 /* after it was lost, another login was tried */
	bool stopping;	 /* was told `stop`, has not answered */
	size_t unopened; /* nodes that have not been answered for */
	bool at_fault;	 /* a node could not be opened */
	bool told; /* some agent of it was told which directories to make */
	struct chatter chatter;
	struct stream *sending; /* ring of streams to it; NULL: none */

	/* By the loop's clock (loop.h). */
	double heard_s, beat_s;
	double first_s, login_s; /* the first login began, and this one */
	double again_s;		 /* AWAY: the next try; 0: not tried yet */
	double closed_s; /* LOGIN: it has closed its connection; 0: no */
	unsigned tries;
};

void machine_init(struct machine *);
/* Kills the login, if there is one. */
void machine_fini(struct machine *);

/* Starts a login; it is watched with loop_watch. */
int
machine_login(struct machine *, const struct launch_spec *, struct hp_err *);
/* Reads what the login says; false once there will be no more. */
bool machine_hear(struct machine *,
    void (*show)(void *context, const char *line, size_t len), void *context);
/*
 * Has the login ended?  Then it is reaped, and *code is its exit status, or 128
 * and its signal.
 */
bool machine_ended(struct machine *, int *code);
/* Closes the connection: an agent that is left kills its steps and cleans up.
 */
void machine_close(struct machine *);
/* Kills the login with its session, and reaps it. */
void machine_kill(struct machine *);

static inline bool
machine_connected(const struct machine *m)
{
	return m->login.wire != -1;
}

#endif
