#ifndef HP_JOB_LAUNCHER_H
#define HP_JOB_LAUNCHER_H

/*
 * The launcher drives the agents of all machines, one stage after the other,
 * in one event loop.  It treats this machine as it treats the others: it forks
 * its agent here, and starts the agents of hosts with a launch method
 * (launch.h).  Each machine has one agent and one connection, whatever number
 * of nodes it has.
 *
 * The launcher trusts no agent: every message is parsed into types at the
 * border (doc/message.h), names only what the launcher asked that machine for,
 * and never becomes part of a command line or a file name.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "job/outcome.h"
#include "job/stage.h"

struct guard;
struct launcher;

/* A node of the run, as its cluster line and the options describe it. */
struct job_node {
	const char *name;
	const char *host;  /* NULL: this machine */
	const char *dir;   /* work directory to make there; absolute */
	const char *input; /* --in-place: the node's part; NULL: none */
	const char *leave; /* --leave: the name of its result; NULL: none */
	/* --leave: the result before it has its name; removed at the end. */
	const char *beside;
};

/* What becomes of a stage that has failed. */
enum judgement {
	/* The node goes whose step failed first, once no try is left. */
	JUDGE_NOTHING,
	/* Nobody goes: if no try is left, the run fails. */
	JUDGE_NOBODY,
	/* The nodes go that `lost` and `nlost` now tell.  No other try. */
	JUDGE_DROP
};

struct job_config {
	const struct job_node *node; /* by rank */
	size_t nodes;
	/* Directory of the programs, first in PATH on every machine. */
	const char *home;
	const char *work; /* the launcher's own directory; exists; absolute */
	const char *rsh;  /* words of the command that reaches a host */
	/* `local`, `ssh`; NULL: local without host, else ssh. */
	const char *launch;
	double timeout_s; /* silence after which a machine is lost */
	bool keep;	  /* leave the files of the nodes at the end */
	bool again;	  /* the nodes' directories may be there: --resume */
	/*
	 * The guard of this process (guard.h), whose signals end a stage; it
	 * also gets to know the directories of this machine's nodes.  NULL:
	 * none.
	 */
	struct guard *guard;
	/*
	 * Told from the loop; any may be NULL.  say: a line of a node (rank,
	 * or STEP_LAUNCHER), control characters escaped.  note: a line of
	 * hprun's own, which names the node itself ("NAME: cannot be reached",
	 * "NAME: sort: failed; once more").  step: a step has ended well.
	 * tick: once a second while a stage runs, with the name of its first
	 * step and the bytes that the steps of the stage have written so far:
	 * an element a rank, and one more for steps of the launcher.
	 */
	void (*say)(void *context, int rank, const char *line);
	void (*note)(void *context, const char *line);
	void (*step)(void *context, const struct step *);
	void (*tick)(void *context, const char *step, const uint64_t *wrote);
	/*
	 * A stage has failed, its steps have been ended, and the run may go on.
	 * The outcome tells how it failed; `lost` are the nodes of machines
	 * that are lost.  last: the stage will not be tried again.  To learn
	 * more, this may have `passing` stages done by nodes of machines that
	 * are there.  NULL: as if it always returned JUDGE_NOTHING.
	 */
	enum judgement (*judge)(void *context, struct launcher *,
	    const struct stage *, bool last, struct outcome *);
	void *context;
};

/* What a machine says of one of its nodes. */
struct node_facts {
	bool ready;
	bool reached; /* false: no agent could be started there */
	uint64_t processors, memory; /* of the machine */
	uint64_t device, room;	     /* of the node's directory: bytes free */
	uint64_t input_bytes;	     /* size of job_node.input */
	/* Our address as the machine sees it; "" if unknown. */
	char address[64];
};

/*
 * Logs in everywhere, once to each host, and opens the nodes' directories.
 * facts has one element a node.  Everything that is wrong with nodes is told by
 * `say` and `note`.  0: all nodes are ready.  -1: HP_LOST if a machine was not
 * reached, HP_IO if something else is wrong; nodes that are ready say so in
 * facts.  The error's text is "" if all was told.  The launcher is to be closed
 * in each case, unless *out is NULL.
 */
int launcher_open(struct launcher **out, const struct job_config *,
    struct node_facts *facts, struct hp_err *);

/*
 * Runs a stage to its end.  Steps that the journal knows as done are not done
 * again, unless the stage is `passing`; their answers and sizes come from the
 * journal.  A step that fails may be tried again (retry.h).  When the stage has
 * failed, all steps of all machines have been ended before it returns.
 * 0: done.  -1: the error's text is for the user, and the outcome tells what to
 * do next.  Its `lost` is good until the next call.
 */
int launcher_stage(
    struct launcher *, struct stage *, struct outcome *, struct hp_err *);

enum launcher_hears {
	HEARS_IT,
	HEARS_NOT,  /* the machine is lost */
	HEARS_AGAIN /* it was lost, and has answered a new login */
};

/* Does the launcher hear the agent of the node's machine? */
enum launcher_hears launcher_hears(const struct launcher *, int rank);

/* The signal that interrupted launcher_open or a stage; 0: none. */
int launcher_signal(const struct launcher *);

/* The result of some steps cannot be trusted: forget all that is journalled. */
int launcher_forget(struct launcher *, struct hp_err *);

/*
 * Ends all steps and agents.  The agents remove their directories, unless they
 * are to be kept.  drop: removed even with config.keep.
 */
void launcher_close(struct launcher *, bool drop);

#endif
