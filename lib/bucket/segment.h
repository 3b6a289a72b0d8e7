#ifndef HP_BUCKET_SEGMENT_H
#define HP_BUCKET_SEGMENT_H

/* Sorted entries of one bucket, whose records are written together. */

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
 * Copies records of the segment to buf, which has cap bytes, *len of them in
 * use. Returns how many records fitted and updates *len.
 */
size_t segment_gather(const struct view *, const struct format *,
    const struct segment *, unsigned char *buf, size_t cap, size_t *len);

/* Returns the bytes of all records, including delimiters. */
uint64_t segment_bytes(
    const struct view *, const struct format *, const struct segment *);

#endif
