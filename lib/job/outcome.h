#ifndef HP_JOB_OUTCOME_H
#define HP_JOB_OUTCOME_H

/* The outcome of a stage, from which its caller decides what to do next. */

#include <stdbool.h>
#include <stddef.h>

/* How a stage ended. */
enum outcome_kind {
	OUTCOME_DONE,
	OUTCOME_FAILED, /* a step failed by itself; `code` is its exit status */
	OUTCOME_KILLED, /* a signal ended a step; `code` is the signal */
	OUTCOME_LOST,	/* a machine was lost */
	/* a signal asked hprun to end; `code` is the signal */
	OUTCOME_INTERRUPTED,
	OUTCOME_GONE /* the work directory was removed */
};

#define OUTCOME_WHY 256 /* bytes of the reason, with the NUL */

struct outcome {
	enum outcome_kind kind;
	int rank;      /* of the step that failed, or the lost node */
	char step[32]; /* its name, perhaps cut; "" for a lost machine */
	int code;
	bool *lost; /* by rank: nodes to leave out */
	size_t nlost;
	bool broke_only;       /* all lost machines answered a new login */
	char why[OUTCOME_WHY]; /* reason for the message; "": the failed step */
};

#endif
