#ifndef HP_SPLIT_CUT_H
#define HP_SPLIT_CUT_H

/*
 * Divides records into sublists, the parts that different nodes will receive.
 * Unsorted records are written to a stream of frames or to a file in pieces,
 * each with one destination. In sorted records only the ends of the sublists
 * are searched.
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

/* A piece of a file: consecutive records that all have the same destination. */
struct cut_piece {
	uint32_t to;
	uint64_t offset, bytes, records;
};

/*
 * Writes the records to a file in pieces of about 1 MB, each for one
 * destination. Unlike a stream, the file can be read repeatedly. Calls `tell`
 * for each piece, in the order of the file. If there are more than 65
 * destinations, their buffers share 64 MiB, so pieces are smaller.
 */
int cut_pieces(struct reader *, struct classifier *, size_t n,
    const uint32_t *to, int fd, const char *name,
    int (*tell)(void *, const struct cut_piece *, struct hp_err *), void *arg,
    struct hp_err *);

/*
 * Counts how many records belong to each of n sublists. Stores the numbers in
 * count[n].
 */
int cut_count(struct reader *, struct classifier *, size_t n, uint64_t *count,
    struct hp_err *);

#endif
