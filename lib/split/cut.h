#ifndef HP_SPLIT_CUT_H
#define HP_SPLIT_CUT_H

/*
 * Cutting records into sublists: by moving them into the frames of a stream or
 * the pieces of a file, or, where they are sorted, by finding the places in
 * between.
 */

#include "record/frame.h"
#include "record/stream.h"
#include "split/classify.h"
#include "split/records.h"

/*
 * The framed stream of all records, in any order.  to[i] is the number that
 * the frames of sublist i carry, source the rank that they come from; of one
 * number they keep the order of the input.  Memory is the longest record and
 * one buffer a number: 64 KiB or, of more than 1024 numbers, their part of 64
 * MiB, but not less than 4 KiB.
 */
int cut_stream(struct reader *, struct classifier *, size_t n,
    const uint32_t *to, uint32_t source, int fd, struct hp_err *);

/* So many bytes and records of a file, all of one number. */
struct piece {
	uint32_t to;
	uint64_t offset, bytes, records;
};

/*
 * The same records without frames, in a file from its beginning on, so that
 * they can be read more than once.  `tell` is told of each piece of it, in the
 * order of the file; each is about 1 MB or, of more than 65 numbers, as large
 * as their part of 64 MiB.
 */
int cut_pieces(struct reader *, struct classifier *, size_t n,
    const uint32_t *to, int fd, const char *name,
    int (*tell)(void *, const struct piece *, struct hp_err *), void *arg,
    struct hp_err *);

/* count[i] of n is how many of the records belong to sublist i. */
int cut_count(struct reader *, struct classifier *, size_t n, uint64_t *count,
    struct hp_err *);

/*
 * Sorted records: where each of n sublists ends, counted in bytes from the
 * beginning of the range; the last ends where the range does.  Reads O(log)
 * records a bound.  HP_INPUT when those are seen not to be in order.
 */
int cut_sorted(const struct records *, struct classifier *, size_t n,
    uint64_t *end, struct hp_err *);

#endif
