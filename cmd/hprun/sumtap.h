#ifndef HP_CMD_HPRUN_SUMTAP_H
#define HP_CMD_HPRUN_SUMTAP_H

/* Computes the checksum of records while they pass through the launcher. */

#include "job/step.h"
#include "record/order.h"
#include "record/piecesum.h"

struct sumtap {
	struct tap tap; /* called with the bytes that pass through a port */
	struct format format;
	struct piecesum sum;
	/* name of the document for the checksum, written at the end */
	char file[32];
};

/*
 * Prepares the checksum of the records of node `rank`, for the file
 * PREFIX.RANK.
 */
void sumtap_init(
    struct sumtap *, const struct order *, const char *prefix, size_t rank);
/* Frees the checksum.  Does nothing on a zeroed struct. */
void sumtap_fini(struct sumtap *);

#endif
