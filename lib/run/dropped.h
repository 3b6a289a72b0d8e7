#ifndef HP_RUN_DROPPED_H
#define HP_RUN_DROPPED_H

/*
 * Counts and checksum of the records that -u leaves out. Output and left-out
 * records together must give the counts and the checksum of the input: this
 * proves that no record was lost or changed (hpcheck(1)). Each record is added
 * where it is left out, from the bytes that would otherwise have been written.
 * The difference of input and output would prove nothing.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/sum.h"
#include "kernel/entry.h"
#include "record/format.h"

struct dropped {
	uint64_t records, bytes; /* bytes include the delimiters of lines */
	struct sum checksum;
};

/*
 * Counts n copies of a record that -u leaves out. A line is given without its
 * delimiter, as `prefix` followed by `record`. For other formats, `prefix` is
 * empty.
 */
void dropped_records(struct dropped *, const struct format *,
    struct span prefix, struct span record, uint64_t n);
void dropped_add(struct dropped *, const struct dropped *);

#endif
