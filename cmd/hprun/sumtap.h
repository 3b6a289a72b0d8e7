#ifndef HP_CMD_HPRUN_SUMTAP_H
#define HP_CMD_HPRUN_SUMTAP_H

/* Computes the checksum of the records that pass through the launcher. */

#include "job/step.h"
#include "record/order.h"
#include "record/piecesum.h"

struct sumtap {
	struct tap tap; /* of the port that the records pass through */
	struct format format;
	struct piecesum sum;
	char file[32]; /* document for the sum, written at the end */
};

/* Prepares a sum of the node's records, for the file PREFIX.RANK. */
void sumtap_init(
    struct sumtap *, const struct order *, const char *prefix, size_t rank);
/* Does nothing on a zeroed struct. */
void sumtap_fini(struct sumtap *);

#endif
