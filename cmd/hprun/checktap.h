#ifndef HP_CMD_HPRUN_CHECKTAP_H
#define HP_CMD_HPRUN_CHECKTAP_H

/*
 * Checks the order of a node's sorted records and computes their summary while
 * they pass through the launcher.  The summary is that of hpcheck(1).
 */

#include "check/piececheck.h"
#include "job/step.h"

struct checktap {
	struct tap tap; /* called with the bytes that pass through a port */
	const struct order *order;
	struct piececheck check;
	uint64_t bytes; /* bytes that have passed so far */
	/* name of the document for the summary; "": there is none */
	char file[32];
};

/*
 * Prepares the summary.  The order must be complete, and must exist as long as
 * the tap.
 */
void checktap_init(struct checktap *, const struct order *);
/* At the end, the tap will write the summary to the file summary.RANK. */
void checktap_name(struct checktap *, size_t rank);
/* Writes the summaries of a node's n taps to the file summary.RANK. */
int checktaps_write(
    const struct checktap *const *, size_t n, size_t rank, struct hp_err *);
/* Frees the summary.  Does nothing on a zeroed struct. */
void checktap_fini(struct checktap *);

#endif
