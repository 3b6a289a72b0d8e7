#ifndef HP_RUN_DROPPED_H
#define HP_RUN_DROPPED_H

/*
 * The records that -u leaves out, as numbers.  Those of the output and these
 * add up to those of the input, which proves that no record was changed or lost
 * (hpcheck(1)).  Each record is summed up where it is left out, by the bytes
 * that would have been written: the difference of input and output would hide
 * what changed in between.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/sum.h"
#include "kernel/entry.h"
#include "record/format.h"

struct dropped {
	uint64_t records, bytes; /* bytes with the delimiters of lines */
	struct sum checksum;
};

/*
 * Adds n equal records.  A line is without its delimiter, and its first bytes
 * may be in another place, prefix; of other records that is empty.
 */
void dropped_records(struct dropped *, const struct format *,
    struct span prefix, struct span record, uint64_t n);
void dropped_add(struct dropped *, const struct dropped *);

#endif
