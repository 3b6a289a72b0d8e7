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
	int rank;	  /* name of the failed step; "" for a lost machine */
	const char *step; /* its name; "" for a lost machine */
	/* exit status of the step, or the signal that ended it */
	int code, signal;
	bool foreign; /* `code` is the exit status of a user's command */
};

#define CAUSE_CANNOT 2 /* exit status of a failed action that is no command */

/*
 * Classifies how a step ended. asks: exit status 1 is an answer, not a failure.
 */
struct cause cause_of_step(
    int rank, const char *step, bool asks, uint64_t code, uint64_t signal);
/*
 * Returns the cause for a user's command that ended with an exit status other
 * than 0.
 */
struct cause cause_of_command(int rank, const char *step, uint64_t code);
struct cause cause_of_loss(int rank);
/*
 * Replaces the known cause if the new one explains more. If both explain as
 * much, the earlier one stays.
 */
void cause_hear(struct cause *, const struct cause *);

/* Retries of a run; initially zero. */
struct retry {
	unsigned stages;
};

#define RETRY_STAGES 2 /* retries of stages in one run */

/* Facts about the stage that a decision needs besides the cause. */
struct retry_facts {
	bool hosts; /* the run has machines other than this one */
	bool once;  /* the stage's input or output is irrevocable */
};

/*
 * Tells whether to restart only the step. `restarts` is the number of restarts
 * left.
 */
bool retry_step(const struct cause *, unsigned restarts);
/*
 * Tells whether a retry of the stage, or a run without the node, may succeed.
 */
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
