#ifndef HP_JOB_RETRY_H
#define HP_JOB_RETRY_H

/*
 * Retry policy: which of several failures is the cause, and whether to retry
 * the step or its stage.  These functions only decide; they have no side
 * effects.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "job/outcome.h"
#include "job/step.h"

/*
 * Kinds of failure, ordered by how much each explains. Exit status 3 means that
 * a peer was lost, and a signal may come from a cleanup: both may follow from
 * another failure. A lost machine explains every failure.
 */
enum cause_kind {
	CAUSE_NONE,   /* the step ended well */
	CAUSE_EFFECT, /* exit status 3, or a signal */
	CAUSE_OWN,    /* another exit status */
	CAUSE_LOST    /* a machine is lost */
};

struct cause {
	enum cause_kind kind;
	int rank;	  /* of the step, or of a node of the lost machine */
	const char *step; /* its name; "" for a lost machine */
	int code, signal; /* exit status, or the signal that ended it */
	bool foreign;	  /* the exit status is that of a user's command */
};

#define CAUSE_CANNOT 2 /* exit status of a step whose action is no command */

/*
 * Classifies how a step ended. asks: exit status 1 is an answer, not a failure.
 */
struct cause cause_of_step(
    int rank, const char *step, bool asks, uint64_t code, uint64_t signal);
/* A user's command has ended with an exit status other than 0. */
struct cause cause_of_command(int rank, const char *step, uint64_t code);
struct cause cause_of_loss(int rank);
/*
 * Replaces the known cause if the new one explains more.  Of equals, the
 * earlier one stays.
 */
void cause_hear(struct cause *, const struct cause *);

/* Retries of a run; initially zero. */
struct retry {
	unsigned stages;
};

#define RETRY_STAGES 2 /* retries of stages in one run */

/* What the decision depends on besides the cause. */
struct retry_facts {
	bool hosts; /* the run has machines other than this one */
	bool once;  /* the stage's input or output is irrevocable */
};

/* Tells whether to restart the step alone; `restarts` are left. */
bool retry_step(const struct cause *, unsigned restarts);
/* Tells whether a retry, or a run without the node, may succeed. */
bool retry_hope(const struct cause *, const struct retry_facts *);
/* Tells whether to retry the stage, and counts the retry. */
bool
retry_stage(struct retry *, const struct cause *, const struct retry_facts *);

/* Describes the cause, for example "NAME: STEP: failed". */
void
cause_text(const struct cause *, const char *name, char *text, size_t size);
/* Sets the outcome's kind, rank, step and code. */
void cause_outcome(const struct cause *, struct outcome *);
/* Returns the kind of error: HP_LOST if another run may succeed. */
enum hp_kind cause_error(const struct cause *);

#endif
