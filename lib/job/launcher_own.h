#ifndef HP_JOB_LAUNCHER_OWN_H
#define HP_JOB_LAUNCHER_OWN_H

/*
 * Declarations that the files of the launcher share, from the lowest layer up:
 *   launcher_tell.c   messages for the user
 *   launcher_open.c   opens the nodes of a machine
 *   launcher_call.c   starts agents that call the launcher
 *   launcher_login.c  logs in to machines
 *   launcher_data.c   moves data between files and agents
 *   launcher_start.c  turns steps into messages
 *   launcher_note.c   notes in the journal what was done
 *   launcher_ended.c  handles the end of a step
 *   launcher_hear.c   handles the other messages of agents
 *   launcher_stop.c   stops steps and finds lost machines
 *   launcher_judge.c  decides which nodes to drop
 *   launcher_stage.c  runs a stage
 *   launcher_new.c    makes and frees the launcher
 *   launcher.c        opens and closes it
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
	size_t index; /* in the stage */
	struct machine *machine;
	enum task_state state;
	uint64_t id;	   /* of its last start */
	unsigned restarts; /* left */
	uint64_t wrote;	   /* bytes, as last reported by its agent */
	size_t said;	   /* lines */
	uint32_t stream;   /* first of its consecutive stream numbers */
	uint32_t streams;
	/* time since 1970 when the last input stream was sent; 0: not yet */
	double sent_s;
	/*
	 * time since 1970 when the first output for a part of a file arrived;
	 * 0: not yet
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

	/* Agents that call: launcher_call.c. */
	struct callers callers; /* `most` 0: no listener */
	struct srun *srun;
	size_t sruns, sruns_cap;
	size_t uncalled; /* machines whose agents no srun starts yet */
	struct chatter srun_said;
	bool strangers; /* a connection without the key was reported */

	/* The current stage. */
	struct stage *stage;
	uint64_t number;   /* of the next counted stage */
	struct task *task; /* one a step */
	size_t tasks, running, done;
	size_t most;	      /* tasks that there is room for */
	struct hp_err growth; /* why the stage could not grow */
	bool ending;	      /* steps are being stopped */
	struct task **by_id;  /* by id, less first_id */
	size_t ids, ids_cap;
	uint64_t first_id;
	struct streams streams;
	struct cause cause;
	struct retry retry;
	uint64_t *wrote; /* by rank, then of the launcher */
	double told_s;	 /* last call of config.tick */
	size_t stopping; /* agents that have not answered `stop` */
	size_t leaving;	 /* agents that were told to end */
	size_t nlost;	 /* machines */

	struct journal *journal;
	bool judging; /* config.judge is called */
	bool *lost;   /* of the outcome */
	int signal;   /* signal that asked the launcher to end; 0: none */
	bool gone;    /* the work directory */
	/*
	 * Error of an event handler. It is stored here because the handler
	 * cannot return it. For example, memory has run out.
	 */
	struct hp_err fatal;
};

/* launcher_new.c: nothing is started yet. */
struct launcher *launcher_new(const struct job_config *, struct hp_err *);
/* Kills what is left of logins. */
void launcher_free(struct launcher *);

/* launcher_open.c */
/*
 * Sets the state of a machine whose login has succeeded or failed for good. The
 * launcher no longer waits for the machine.
 */
void login_settle(struct launcher *, struct machine *, enum machine_state);
/*
 * Handles a message of a machine that is not ready yet. Sets *hello if it was
 * the first message of the agent.
 */
int open_hear(struct launcher *, struct machine *, struct wire_event *,
    bool *hello, struct hp_err *why);

/* launcher_call.c */
/*
 * Starts srun commands for the machines whose agents login_begin has not
 * started.
 */
void calls_start(struct launcher *);
/*
 * Handles a readable descriptor: of srun, of the listener, or of a connection
 * that has not proven yet that it knows the key. Returns false for any other
 * descriptor.
 */
bool calls_hear(struct launcher *, int fd);
/*
 * Calls `refused` for each machine whose agent has not connected although the
 * srun that should start it has ended.
 */
void calls_tick(struct launcher *,
    void (*refused)(struct launcher *, struct machine *, int code));
/* Counts the processes of srun that still run. */
size_t calls_left(struct launcher *);
bool calls_is_srun(const struct launcher *, pid_t);
/* Kills the srun processes that still run, and closes the listener. */
void calls_fini(struct launcher *);

/* launcher_login.c */
void login_all(struct launcher *);
void login_begin(struct launcher *, struct machine *);
/* Handles an event on the connection of a machine that is not ready yet. */
int login_hear(struct launcher *, struct machine *, struct wire_event *,
    struct hp_err *why);
/* Handles the end of the connection of a machine that is not ready yet. */
void login_broke(struct launcher *, struct machine *, const struct hp_err *why);
/*
 * Handles the end of a machine's connection while other machines are not ready
 * yet. No step has used the machine, so the agent is started again.
 */
void
login_undone(struct launcher *, struct machine *, const struct hp_err *why);
void login_said(struct launcher *, struct machine *);
void login_tick(struct launcher *);

/* launcher_start.c */
int start_task(struct launcher *, struct task *, struct hp_err *);
/* Makes a task for each new step of the stage. */
int tasks_add(struct launcher *, struct hp_err *);
/*
 * Lets the stage grow after the step of this index has succeeded. Does not
 * start the new steps.
 */
int tasks_grow(struct launcher *, size_t index, struct hp_err *);
/* Starts the tasks from index `from` on, except those of lost machines. */
int tasks_start(struct launcher *, size_t from, struct hp_err *);

/* launcher_data.c */
/* Queues data of streams for the machine until the machine's queue is full. */
void data_send(struct launcher *, struct machine *);
int data_hear(struct launcher *, struct machine *, struct wire_event *,
    struct hp_err *why);
/* Handles a message `credit`. */
int data_credit(struct launcher *, struct machine *, const struct message *,
    struct hp_err *why);
/* Stops sending to a step that has ended. */
void data_stop(struct launcher *, const struct task *);
/* Continues streams that waited for room in standard output. */
void data_go_on(struct launcher *);

/* launcher_note.c */
/* Notes that a step has succeeded. */
void note_step(struct launcher *, const struct task *);
/* Notes the time at which the input of a step was completely sent. */
void note_sent(struct launcher *, struct task *);

/* launcher_ended.c */
/*
 * Handles an agent's report that a step has ended: notes its success, starts it
 * again, or makes its failure the cause why the stage fails.  Fails if the
 * report contradicts what was asked of the agent.
 */
int hear_ended(struct launcher *, struct task *, const struct message *,
    struct hp_err *why);

/* launcher_hear.c */
extern const struct loop_calls launcher_calls;
/*
 * Returns whether the work directory was removed, which makes the run useless.
 */
bool work_is_gone(struct launcher *);
/*
 * Gives up a machine because its connection broke, it was silent, or it broke
 * the protocol.
 */
void
lose_machine(struct launcher *, struct machine *, const struct hp_err *why);

/* launcher_stop.c */
/*
 * Stops all steps on all machines. Logs in once more to each lost machine,
 * which stays lost if it does not answer.
 */
int stop_all(struct launcher *, struct hp_err *);

/* launcher_judge.c */
/*
 * Decides what to do after a failed stage whose steps have ended.  Fills the
 * outcome except `kind`, `rank`, `step` and `code`.
 */
enum judgement
judge_stage(struct launcher *, const struct retry_facts *, struct outcome *);
/*
 * Lists in the outcome which nodes the run could do without: the nodes of lost
 * machines, or else the node whose step failed.
 */
void
name_the_lost(struct launcher *, const struct retry_facts *, struct outcome *);

/* launcher_tell.c */
const char *node_name(const struct launcher *, int rank);
void tell_line(struct launcher *, int rank, const char *, size_t);
void tell_note(struct launcher *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

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
