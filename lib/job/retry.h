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
 * Kinds of failure, in ascending order of how much they explain. A step may
 * exit with status 3 (a peer was lost) or be ended by a signal (perhaps a
 * cleanup) only because of another failure. A lost machine explains every other
 * failure.
 */
enum cause_kind {
	CAUSE_NONE,   /* the step ended well */
	CAUSE_EFFECT, /* exit status 3, or a signal */
	CAUSE_OWN,    /* another exit status */
	CAUSE_LOST    /* a machine is lost */
};

struct cause {
	enum cause_kind kind;
	/* rank of the node whose step failed, or of the lost node */
	int rank;
	const char *step; /* name of the step; "" for a lost machine */
	/*
	 * exit status of the failed step, or number of the signal that ended it
	 */
	int code, signal;
	bool foreign; /* `code` is the exit status of a command of the user */
};

/* exit status that is recorded for a failed action that ran no command */
#define CAUSE_CANNOT 2

/*
 * Classifies how a step ended. `asks` means that exit status 1 is an answer and
 * not a failure.
 */
struct cause cause_of_step(
    int rank, const char *step, bool asks, uint64_t code, uint64_t signal);
/*
 * Returns the cause of a failure: a command of the user has ended with this
 * exit status, which is not 0.
 */
struct cause cause_of_command(int rank, const char *step, uint64_t code);
struct cause cause_of_loss(int rank);
/*
 * Replaces the known cause of a failure if the new cause explains more. If both
 * explain equally much, the known cause stays.
 */
void cause_hear(struct cause *, const struct cause *);

/* Retries of a run; initially zero. */
struct retry {
	unsigned stages;
};

#define RETRY_STAGES 2 /* retries of stages in one run */

/*
 * Facts about a failed stage that decide, together with the cause of the
 * failure, whether the stage is retried.
 */
struct retry_facts {
	bool hosts; /* the run has machines other than this one */
	/* the stage cannot be undone, so it is not retried (stage.h) */
	bool once;
};

/*
 * Returns whether to restart only the failed step. `restarts` is the number of
 * restarts that are left.
 */
bool retry_step(const struct cause *, unsigned restarts);
/*
 * Returns whether the stage may succeed if it is retried, or if the run goes on
 * without the failed node.
 */
bool retry_hope(const struct cause *, const struct retry_facts *);
/* Returns whether to retry the stage. If so, counts the retry. */
bool
retry_stage(struct retry *, const struct cause *, const struct retry_facts *);

/* Writes a text that describes the cause, for example "NAME: STEP: failed". */
void
cause_text(const struct cause *, const char *name, char *text, size_t size);
/* Sets the kind, rank, step and code of the outcome from the cause. */
void cause_outcome(const struct cause *, struct outcome *);
/*
 * Returns the error kind to report for this cause of a failure. HP_LOST means
 * that another run may succeed.
 */
enum hp_kind cause_error(const struct cause *);

#endif
