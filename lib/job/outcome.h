#ifndef HP_JOB_OUTCOME_H
#define HP_JOB_OUTCOME_H

/*
 * How a stage ended: what the method that made it needs to know in order to
 * decide what comes next.
 */

#include <stdbool.h>
#include <stddef.h>

/*
 * Why a stage did not end well, and which nodes are lost.
 */
enum outcome_kind {
	OUTCOME_DONE,
	OUTCOME_FAILED,	     /* a step failed by its own fault: exit `code` */
	OUTCOME_KILLED,	     /* a signal ended a step: `code` */
	OUTCOME_LOST,	     /* a machine was lost */
	OUTCOME_INTERRUPTED, /* a signal asked hprun to end: `code` */
	OUTCOME_GONE	     /* the work directory was removed */
};

#define OUTCOME_WHY 256 /* bytes of the reason, with the NUL */

struct outcome {
	enum outcome_kind kind;
	int rank;      /* of the step that failed, or the lost node */
	char step[32]; /* its name, perhaps cut; "" for a lost machine */
	int code;
	bool *lost; /* by rank: to be done without */
	size_t nlost;
	bool broke_only;       /* the machines that were lost answer again */
	char why[OUTCOME_WHY]; /* for the message; "": as of the step */
};

#endif
