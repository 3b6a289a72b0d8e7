#ifndef HP_SPLIT_CUT_H
#define HP_SPLIT_CUT_H

/*
 * Divides records into sublists. Unsorted records are moved into the frames of
 * a stream or the pieces of a file. For sorted records, only the offsets
 * between the sublists are computed.
 */

#include "record/frame.h"
#include "record/stream.h"
#include "split/classify.h"
#include "split/records.h"

/*
 * Writes all records as a framed stream, in any order. to[i] is the destination
 * number that the frames of sublist i carry. source is the rank of this node.
 * Records with the same destination keep the order of the input. Memory: the
 * longest record, and one buffer of 64 KiB per destination. More than 1024
 * destinations share 64 MiB, with at least 4 KiB each.
 */
int cut_stream(struct reader *, struct classifier *, size_t n,
    const uint32_t *to, uint32_t source, int fd, struct hp_err *);

/* A range of a file whose records all have the same destination. */
struct piece {
	uint32_t to;
	uint64_t offset, bytes, records;
};

/*
 * Writes the records without frames to the start of a file, so that they can be
 * read repeatedly. Calls `tell` for each piece of the file, in order. A piece
 * has about 1 MB. With more than 65 destinations, the pieces of all of them
 * share 64 MiB.
 */
int cut_pieces(struct reader *, struct classifier *, size_t n,
    const uint32_t *to, int fd, const char *name,
    int (*tell)(void *, const struct piece *, struct hp_err *), void *arg,
    struct hp_err *);

/* Counts the records of each of n sublists. Stores the numbers in count[n]. */
int cut_count(struct reader *, struct classifier *, size_t n, uint64_t *count,
    struct hp_err *);

/*
 * Finds the end of each of n sublists in sorted records, in bytes from the
 * start of the range. The last sublist ends with the range. Reads O(log
 * records) records per bound. Fails with HP_INPUT if these records are not in
 * order.
 */
int cut_sorted(const struct records *, struct classifier *, size_t n,
    uint64_t *end, struct hp_err *);

#endif
