#ifndef HP_CMD_HPRUN_SUMTAP_H
#define HP_CMD_HPRUN_SUMTAP_H

/*
 * Computes the order-free checksum of the records that pass through the
 * launcher.  The bytes come in pieces that may end inside a record.
 */

#include "check/check.h"
#include "job/step.h"

struct sumtap {
	struct tap tap; /* of the port that the records pass through */
	struct order order;
	struct check check;
	unsigned char *part; /* beginning of a record whose end is to come */
	size_t len, cap;
	char file[32]; /* document for the sum, written at the end */
};

/* Prepares a sum of the node's records, for the file PREFIX.RANK. */
void sumtap_init(
    struct sumtap *, const struct order *, const char *prefix, size_t rank);
/* Does nothing on a zeroed struct. */
void sumtap_fini(struct sumtap *);

#endif
