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
	size_t waiting;		  /* machines that may still become ready */
	size_t logins;		  /* under way */
	size_t next;		  /* machines before this one have begun */
	bool again;		  /* directories may be there */
	bool unreached, faults;

	/* The stage that is under way. */
	struct stage *stage;
	uint64_t number;   /* of the next counted stage */
	struct task *task; /* one a step */
	size_t tasks, running;
	struct task **by_id; /* by id, less first_id */
	size_t ids, ids_cap;
	uint64_t first_id;
	struct streams streams;
	struct cause cause;
	struct retry retry;
	uint64_t *wrote; /* by rank, then of the launcher */
	double told_s;	 /* last call of config.tick */
	size_t stopping; /* agents that have not answered `stop` */

	struct journal *journal;
	bool *lost; /* of the outcome */
	int signal; /* that asks the launcher to end; 0: none */
	bool gone;  /* the work directory */
	/* Set by handlers of events, which cannot fail: memory ran out. */
	struct hp_err fatal;
};

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

/* launcher_hear.c */
extern const struct loop_calls launcher_calls;
/* A step did not end well, or something of the launcher's did not. */
void hear_failure(struct launcher *, const struct cause *);

/* launcher_stop.c */
/* Ends all steps of all machines, and has lost machines asked once more. */
int stop_all(struct launcher *, struct hp_err *);

/* launcher_tell.c */
const char *node_name(const struct launcher *, int rank);
void tell_line(struct launcher *, int rank, const char *, size_t);
void tell_note(struct launcher *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Does the run have machines beside this one? */
static inline bool
has_hosts(const struct launcher *l)
{
	return l->machines > 1;
}

#endif
