#ifndef HP_CMD_HPRUN_CHECKTAP_H
#define HP_CMD_HPRUN_CHECKTAP_H

/* Summarizes a node's part of the result while it passes through the launcher,
 * as hpcheck(1) does. */

#include "check/check.h"
#include "job/step.h"
#include "record/pieces.h"

struct checktap {
	struct tap tap; /* of the port that the records pass through */
	const struct order *order;
	struct pieces pieces;
	struct check check;
	uint64_t bytes; /* that have passed */
	char file[32];	/* document for the summary, written at the end */
};

/*
 * Prepares the summary of the node's records, for the file PREFIX.RANK.  The
 * order must be ready and outlive the tap.
 */
void checktap_init(
    struct checktap *, const struct order *, const char *prefix, size_t rank);
/* Does nothing on a zeroed struct. */
void checktap_fini(struct checktap *);

#endif
