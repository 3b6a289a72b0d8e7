#ifndef HP_JOB_OUTCOME_H
#define HP_JOB_OUTCOME_H

/* The outcome of a stage, from which its caller decides what to do next. */

#include <stdbool.h>
#include <stddef.h>

/* How a stage ended. */
enum outcome_kind {
	OUTCOME_DONE,
	/* a step failed without a signal; `code` is its exit status */
	OUTCOME_FAILED,
	OUTCOME_KILLED, /* a signal ended a step; `code` is the signal */
	OUTCOME_LOST,	/* a machine was lost */
	/* a signal asked hprun to end; `code` is the signal */
	OUTCOME_INTERRUPTED,
	OUTCOME_GONE /* the work directory was removed */
};

#define OUTCOME_WHY 256 /* bytes of the reason, with the NUL */

struct outcome {
	enum outcome_kind kind;
	int rank; /* rank of the node of the failed step, or of the lost node */
	/* name of the failed step, perhaps truncated; "" for a lost machine */
	char step[32];
	int code;
	bool *lost; /* by rank: nodes to leave out */
	size_t nlost;
	bool broke_only; /* all lost machines answered a new login */
	/*
	 * why the run failed, for the message; "": the message names the failed
	 * step instead
	 */
	char why[OUTCOME_WHY];
};

#endif
