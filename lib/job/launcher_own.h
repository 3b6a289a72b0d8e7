#ifndef HP_JOB_LAUNCHER_OWN_H
#define HP_JOB_LAUNCHER_OWN_H

/*
 * The types that the files of the launcher share. The files are, from the
 * lowest layer up: launcher_tell, launcher_note, launcher_hears, launcher_open,
 * launcher_call, launcher_dial, launcher_login, launcher_data, launcher_drop,
 * launcher_start, launcher_ended, launcher_hear, launcher_stop, launcher_judge,
 * launcher_stage, launcher_new and launcher. Each file uses only files before
 * it.
 */

#include "job/callers.h"
#include "job/journal.h"
#include "job/launcher.h"
#include "job/loop.h"
#include "job/retry.h"
#include "job/srun.h"
#include "job/stream.h"

enum task_state {
	TASK_WAITS,
	TASK_RUNS,
	TASK_DONE,
	TASK_FAILED
};

/* A step of the current stage. */
struct task {
	struct step *step;
	size_t index; /* index of the step in the stage */
	struct machine *machine;
	enum task_state state;
	bool dropped;	   /* stage_drop has dropped the step */
	double cancel_s;   /* when `cancel` was sent, by the loop's clock */
	uint64_t id;	   /* number of its last start */
	unsigned restarts; /* restarts that are left */
	uint64_t wrote;	   /* bytes, as last reported by its agent */
	size_t said;	   /* number of lines shown */
	uint32_t stream;   /* first of its consecutive stream numbers */
	uint32_t streams;
	/*
	 * time in seconds since 1970 when the last input stream was completely
	 * sent, and later the time when the command had taken that stream; 0:
	 * not yet, or the transfer has no name (step.h, `sending`)
	 */
	double sent_s;
	/*
	 * time in seconds since 1970 when the first byte arrived of an output
	 * that fills a part of a launcher's file; 0: not yet
	 */
	double back_s;
};

struct launcher {
	struct job_config c;
	struct loop loop;
	struct machine *machine; /* the first is this machine */
	size_t machines;
	int *rank;	 /* ranks of the nodes, grouped by machine */
	size_t *of_rank; /* the machine of each rank */
	size_t files;	 /* original soft limit of open files */
	bool few_files;	 /* too few may be open for direct connections */
	void (*on_pipe)(int);

	/*
	 * Descriptor, device and inode of the work directory. Device and inode
	 * show whether the directory was removed.
	 */
	int work;
	uint64_t work_device, work_inode;

	/* Logins: launcher_login.c. */
	struct node_facts *facts; /* the caller's; NULL once all are open */
	double began_s;		  /* when the first logins began */
	bool *asked;	  /* by rank: the node's answer is outstanding */
	size_t waiting;	  /* machines that may still become ready */
	size_t returning; /* lost machines that may become ready */
	size_t logins;	  /* running logins */
	size_t next;	  /* next machine to log in to */
	bool unreached, faults;
	struct tls_party tls; /* shared by all direct connections; or zeroed */
	bool undialed; /* a machine without a direct connection was reported */

	/* Agents that call: launcher_call.c. */
	struct callers callers; /* `most` 0: no listener */
	struct srun *srun;
	size_t sruns, sruns_cap;
	size_t uncalled; /* machines whose agents no srun starts yet */
	struct chatter srun_said;
	bool strangers; /* a connection without the key was reported */
	bool repeated;	/* a second connection of a node was reported */

	/* The current stage. */
	struct stage *stage;
	/*
	 * number of this stage in the journal, which does not count `passing`
	 * stages (stage.h)
	 */
	uint64_t number;
	struct task *task; /* one per step */
	size_t tasks, running, done;
	size_t most;	      /* tasks that there is room for */
	size_t drops;	      /* elements of stage.dropped that are handled */
	struct hp_err growth; /* why the stage could not grow */
	bool ending;	      /* steps are being stopped */
	/* by_id[id - first_id] is the task with this id */
	struct task **by_id;
	size_t ids, ids_cap;
	uint64_t first_id;
	struct streams streams;
	struct cause cause;
	struct retry retry;
	/* bytes written by each node, by rank, then by the launcher */
	uint64_t *wrote;
	double told_s;	 /* last call of config.tick */
	size_t stopping; /* agents that have not answered `stop` */
	size_t leaving;	 /* agents that were told to end */
	size_t nlost;	 /* number of lost machines */

	struct journal *journal;
	bool judging; /* config.judge is called */
	bool *lost;   /* storage for the member `lost` of an outcome */
	int signal;   /* first signal that asked the launcher to end; 0: none */
	unsigned signals; /* number of such signals */
	bool gone;	  /* the work directory was removed */
	/*
	 * Error of an event handler. It is stored here because the handler
	 * cannot return it. For example, memory has run out.
	 */
	struct hp_err fatal;
};

/*
 * Casts const away, because the texts of a message are not const. This is safe:
 * writing a message does not change them.
 */
static inline char *
borrow(const char *text)
{
	union {
		const char *lent;
		char *borrowed;
	} u = { .lent = text };

	return u.borrowed;
}

static inline int
not_asked(const struct machine *m, struct hp_err *why)
{
	return hp_fail(why, HP_INPUT,
	    "%s: sent something that was not asked for", m->name);
}

/* Stores an error of an event handler, because the handler cannot return it. */
static inline void
hear_fatal(struct launcher *l, const struct hp_err *e)
{
	if (l->fatal.kind == HP_NONE)
		l->fatal = *e;
}

/* Returns whether the run has machines other than this one. */
static inline bool
has_hosts(const struct launcher *l)
{
	return l->machines > 1;
}

#endif
