#ifndef HP_BUCKET_SEGMENT_H
#define HP_BUCKET_SEGMENT_H

/*
 * A segment is the sorted entries of one bucket. The records of several
 * segments can be written with one write.
 */

#include <stddef.h>
#include <stdint.h>

#include "kernel/entry.h"
#include "record/format.h"

struct segment {
	const struct entry *x;
	size_t n;
	struct span prefix; /* lines only: prefix of each line */
};

/*
 * Appends records of the segment to buf, which has cap bytes; *len of them are
 * already in use. Advances *len. Returns how many records fitted.
 */
size_t segment_gather(const struct view *, const struct format *,
    const struct segment *, unsigned char *buf, size_t cap, size_t *len);

/*
 * Returns the size in bytes of all records of the segment, including
 * delimiters.
 */
uint64_t segment_bytes(
    const struct view *, const struct format *, const struct segment *);

#endif
