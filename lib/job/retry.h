#ifndef HP_JOB_RETRY_H
#define HP_JOB_RETRY_H

/*
 * What to do when a step fails: which of several failures is the cause, and
 * whether the step, its stage, or nothing is tried again.  Pure: this decides
 * from what it is told, and does nothing.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "job/outcome.h"
#include "job/step.h"

/*
 * Ordered by how much each explains.  A step that exits with 3 misses a peer,
 * and a signal may come from whoever cleans up: both may be effects of another
 * failure.  A lost machine explains every failure.
 */
enum cause_kind {
	CAUSE_NONE,   /* the step ended well */
	CAUSE_EFFECT, /* exit status 3, or a signal */
	CAUSE_OWN,    /* another exit status */
	CAUSE_LOST    /* a machine is lost */
};

struct cause {
	enum cause_kind kind;
	int rank;	  /* of the step, or of a node of the machine */
	const char *step; /* its name; "" for a lost machine */
	int code, signal; /* exit status, or the signal that ended it */
};

#define CAUSE_CANNOT 2 /* exit status of a step whose action is no command */

/* asks: exit status 1 is an answer. */
struct cause cause_of_step(
    int rank, const char *step, bool asks, uint64_t code, uint64_t signal);
struct cause cause_of_loss(int rank);
/* Takes the second if it explains more than the first; the earlier one wins. */
void cause_hear(struct cause *, const struct cause *);

/* Tries of a run; begins zeroed. */
struct retry {
	unsigned stages;
};

#define RETRY_STAGES 2 /* times that stages are tried again, in a run */

/* What the decision depends on, beside the cause. */
struct retry_facts {
	bool hosts; /* the run has machines beside this one */
	bool once;  /* what the stage reads or gives cannot be had twice */
};

/* Is the step alone started again? restarts: how often it may be, still. */
bool retry_step(const struct cause *, unsigned restarts);
/* Might the cause not come again, or without its node? */
bool retry_hope(const struct cause *, const struct retry_facts *);
/* Are the steps of the stage started again?  Counts it if so. */
bool
retry_stage(struct retry *, const struct cause *, const struct retry_facts *);

/* "NAME: STEP: failed", and the like. */
void
cause_text(const struct cause *, const char *name, char *text, size_t size);
/* The outcome's kind, rank, step and code; its `lost` stays as it is. */
void cause_outcome(const struct cause *, struct outcome *);
/* What kind of error that is: HP_LOST if another run may end well. */
enum hp_kind cause_error(const struct cause *);

#endif
