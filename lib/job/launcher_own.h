#ifndef HP_JOB_LAUNCHER_OWN_H
#define HP_JOB_LAUNCHER_OWN_H

/*
 * What the files of the launcher share.  From below: login.c (launcher_login.c
 * and so on) has machines logged in and their nodes opened, stream.c moves data
 * between files and agents, start.c turns steps into messages, hear.c takes
 * what agents send, stop.c ends steps and finds out what is lost, stage.c runs
 * a stage, launcher.c opens and closes.
 */

#include "job/journal.h"
#include "job/launcher.h"
#include "job/loop.h"
#include "job/retry.h"
#include "job/stream.h"

enum task_state {
	TASK_WAITS,
	TASK_RUNS,
	TASK_DONE,
	TASK_FAILED
};

/* A step of the stage that is under way. */
struct task {
	struct step *step;
	size_t index; /* in the stage */
	struct machine *machine;
	enum task_state state;
	uint64_t id;	   /* of its last start */
	unsigned restarts; /* left */
	uint64_t wrote;	   /* bytes, as its agent last told */
	size_t said;	   /* lines */
	uint32_t stream;   /* first of its streams; they follow each other */
	uint32_t streams;
};

struct launcher {
	struct job_config c;
	struct loop loop;
	struct machine *machine; /* the first is this machine */
	size_t machines;
	int *rank;	 /* of the nodes, machine by machine */
	size_t *of_rank; /* the machine of each rank */
	size_t files;	 /* soft limit of open files when this began */
	void (*on_pipe)(int);

	/* The work directory: is it still the same? */
	int work;
	uint64_t work_device, work_inode;

	/* Logins: login.c. */
	struct node_facts *facts; /* the caller's; NULL once all are open */
	bool *asked;		  /* by rank: is to be opened, or is at fault */
	size_t waiting;		  /* machines that may still become ready */
	size_t returning;	  /* lost ones that may */
	size_t logins;		  /* under way */
	size_t next;		  /* machines before this one have begun */
	bool unreached, faults;

	/* The stage that is under way. */
	struct stage *stage;
	uint64_t number;   /* of the next counted stage */
	struct task *task; /* one a step */
	size_t tasks, running, done;
	bool ending;	     /* steps are being ended */
	struct task **by_id; /* by id, less first_id */
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
	int signal;   /* that asks the launcher to end; 0: none */
	bool gone;    /* the work directory */
	/* Set by handlers of events, which cannot fail: memory ran out. */
	struct hp_err fatal;
};

/* launcher_new.c: nothing is started yet. */
struct launcher *launcher_new(const struct job_config *, struct hp_err *);
/* Kills what is left of logins. */
void launcher_free(struct launcher *);

/* launcher_login.c */
void login_all(struct launcher *);
void login_begin(struct launcher *, struct machine *);
/* What a machine sends before it is ready. */
int login_hear(struct launcher *, struct machine *, struct wire_event *,
    struct hp_err *why);
/* The connection of a machine that is not ready has ended. */
void login_broke(struct launcher *, struct machine *, const struct hp_err *why);
void login_said(struct launcher *, struct machine *);
void login_tick(struct launcher *);

/* launcher_start.c */
int start_task(struct launcher *, struct task *, struct hp_err *);

/* launcher_data.c */
/* Queues data for the machine, as much as there is room for. */
void data_send(struct launcher *, struct machine *);
int data_hear(struct launcher *, struct machine *, struct wire_event *,
    struct hp_err *why);
/* Standard output has room again. */
void data_go_on(struct launcher *);

/* launcher_hear.c */
extern const struct loop_calls launcher_calls;
/* Was the work directory removed?  Then nothing that is done is of use. */
bool work_is_gone(struct launcher *);
/* It broke, is silent, or does not do as it was told. */
void
lose_machine(struct launcher *, struct machine *, const struct hp_err *why);

/* launcher_stop.c */
/*
 * Ends all steps of all machines.  Machines that were lost are asked once more,
 * and those that do not answer are lost.
 */
int stop_all(struct launcher *, struct hp_err *);

/* launcher_judge.c */
/*
 * What becomes of the stage, whose steps have all been ended: fills the outcome
 * but for its `kind`, `rank`, `step` and `code`.
 */
enum judgement
judge_stage(struct launcher *, const struct retry_facts *, struct outcome *);
/* The nodes that the run might do without, by what failed. */
void
name_the_lost(struct launcher *, const struct retry_facts *, struct outcome *);

/* launcher_tell.c */
const char *node_name(const struct launcher *, int rank);
void tell_line(struct launcher *, int rank, const char *, size_t);
void tell_note(struct launcher *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* What messages have is not changed by writing them. */
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

/* Remembers a failure that a handler of events cannot return. */
static inline void
hear_fatal(struct launcher *l, const struct hp_err *e)
{
	if (l->fatal.kind == HP_NONE)
		l->fatal = *e;
}

/* Does the run have machines beside this one? */
static inline bool
has_hosts(const struct launcher *l)
{
	return l->machines > 1;
}

#endif
