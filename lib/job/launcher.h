#ifndef HP_JOB_LAUNCHER_H
#define HP_JOB_LAUNCHER_H

/*
 * The launcher drives the agents of all machines, one stage after the other, in
 * one event loop.  Each machine has one agent and one connection for all of its
 * nodes.  This machine is treated like the others: its agent is forked, and
 * those of hosts are started by a launch method (launch.h).
 *
 * The launcher trusts no agent.  Every message is parsed into types on arrival
 * (doc/message.h).  It may only refer to what the launcher asked of that
 * machine, and never becomes part of a command line or file name.
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
	/* with --leave: name of the node's result; NULL: none */
	const char *leave;
	/*
	 * With --leave: temporary name of the result. The file is renamed or
	 * removed at the end.
	 */
	const char *beside;
	/*
	 * With Slurm: number of the job's component that has the host
	 * (allocation.h).
	 */
	int component;
};

/* What to do after a failed stage. */
enum judgement {
	/*
	 * Retry the stage. If the last retry fails, too, drop the node whose
	 * step failed first.
	 */
	JUDGE_NOTHING,
	/*
	 * Retry the stage. If the last retry fails, too, the run fails, and no
	 * node is dropped.
	 */
	JUDGE_NOBODY,
	/*
	 * Do not retry the stage. Drop the nodes that `lost` and `nlost` list.
	 */
	JUDGE_DROP
};

struct job_config {
	const struct job_node *node; /* by rank */
	size_t nodes;
	/*
	 * Directory of the hptools programs, put first into PATH on every
	 * machine.
	 */
	const char *home;
	const char *work; /* the launcher's own directory; exists; absolute */
	const char *rsh;  /* login command */
	/*
	 * Launch method that starts the agents on hosts (launch.h); NULL: ssh.
	 * Nodes without a host are on the launcher's machine, where the
	 * launcher starts the agent directly.
	 */
	const char *launch;
	/*
	 * Connect to agents by TCP if they were started by ssh, so that data do
	 * not pass through the logins.
	 */
	bool direct;
	double timeout_s; /* silence after which a machine is lost */
	/*
	 * Most bytes of a document that a host sends; 0: no limit. A machine
	 * that sends more counts as failed. The output of the user's commands
	 * has no limit.
	 */
	uint64_t document_most;
	/* when the run ends, do not remove the files of the nodes */
	bool keep;
	bool again; /* the nodes' directories may exist: --resume */
	/*
	 * The guard of this process (guard.h); NULL: none. If the guard passes
	 * on a signal, the current stage ends. The directories of this
	 * machine's nodes are registered with the guard.
	 */
	struct guard *guard;
	/*
	 * Callbacks from the event loop; any may be NULL.
	 *   say   a line of a node (rank or STEP_LAUNCHER), control characters
	 *         escaped
	 *   note  a line of hprun that names the node itself ("NAME: cannot be
	 *         reached", "NAME: sort: failed; trying again")
	 *   step  a step has succeeded
	 *   tick  once a second during a stage: the name of its first step, and
	 *         the bytes that its steps have written, by rank; the last
	 *         element counts steps of the launcher
	 */
	void (*say)(void *context, int rank, const char *line);
	void (*note)(void *context, const char *line);
	void (*step)(void *context, const struct step *);
	void (*tick)(void *context, const char *step, const uint64_t *wrote);
	/*
	 * The launcher calls this during launcher_open, as soon as this machine
	 * is ready, while hosts are still logged in to. The callback may run
	 * stages whose steps are all those of the launcher. It returns 0, or -1
	 * with an error that ends launcher_open. It is not called if hosts are
	 * ready first. NULL: there is nothing to do meanwhile.
	 */
	int (*meanwhile)(void *context, struct hp_err *);
	/*
	 * The launcher calls this after a stage has failed and its steps have
	 * ended, if the run may go on. The outcome says how the stage failed;
	 * its member `lost` marks the nodes of lost machines. `last` means that
	 * the stage will not be retried. The callback may run `passing` stages
	 * (stage.h) on machines that are not lost. NULL: the launcher acts as
	 * after JUDGE_NOTHING.
	 */
	enum judgement (*judge)(void *context, struct launcher *,
	    const struct stage *, bool last, struct outcome *);
	void *context;
};

/* What a machine has reported about one of its nodes. */
struct node_facts {
	bool ready;
	bool reached; /* false: no agent could be started there */
	/* processors and bytes of memory of the machine */
	uint64_t processors, memory;
	/* device number and free bytes of the node's directory */
	uint64_t device, room;
	/*
	 * Of job_node.input: its size, the time of its last modification in
	 * microseconds since 1970, and its inode number.
	 */
	uint64_t input_bytes, input_changed_us, input_inode;
	bool named; /* the result already has its final name, job_node.leave */
	/* seconds from the start of all logins until the node was ready */
	double login_s;
	/*
	 * The launcher's address from which the machine was reached; "" if
	 * unknown.
	 */
	char address[64];
};

/*
 * Logs in to each host once and opens the nodes' directories.
 *   facts  one element for each node; tells which nodes are ready
 * Problems of nodes are reported by `say` and `note`.  Returns 0 if all nodes
 * are ready.  Otherwise returns -1 with HP_LOST if a machine was not reached,
 * or HP_IO.  The error's text is "" if everything has been reported.  The
 * caller closes the launcher in each case, unless *out is NULL.
 */
int launcher_open(struct launcher **out, const struct job_config *,
    struct node_facts *facts, struct hp_err *);

/* Changes config.document_most for the following stages. */
void launcher_limit_documents(struct launcher *, uint64_t most);
/* Returns the signal that interrupted launcher_open or a stage; 0 if none. */
int launcher_signal(const struct launcher *);

/*
 * Clears the journal. Used when the results of the steps in the journal cannot
 * be trusted.
 */
int launcher_forget(struct launcher *, struct hp_err *);

/*
 * Ends all steps and agents. The agents remove the nodes' directories, unless
 * config.keep is set. If `drop` is set, the agents remove the directories in
 * any case. Waits for the agents, but only for a limited time, and only until
 * the second signal of the run arrives.
 */
void launcher_close(struct launcher *, bool drop);

#endif
