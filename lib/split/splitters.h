#ifndef HP_SPLIT_SPLITTERS_H
#define HP_SPLIT_SPLITTERS_H

/*
 * Splitters divide the records of an unsorted file into many buckets of about
 * the same size. Each bucket is a range of the sorted order. The splitters are
 * chosen from a random sample that has several candidates per bucket
 * (oversampling: Blelloch, Leiserson, Maggs, Plaxton, Smith, Zagha 1991).
 *
 * A splitter is a position: a key and the place of one record in the file. So
 * the buckets have about the same size even if all keys are equal.
 */

#include "record/order.h"
#include "split/pivot.h"

/* The part of an open file that is divided. */
struct splitters_file {
	int fd;
	const char *name;     /* for messages */
	uint64_t offset, end; /* bytes of the file that contain the records */
};

/*
 * Chooses the splitters and stores the buckets in *buckets, as sublists. The
 * member `index` of the position `until` is the byte at which the record
 * begins, counted from file.offset. Reads up to 8 records at each of 2048 or
 * more random places, at fewer in a file of less than 2 MiB. The keys of the
 * sample take 64 MiB of memory at most; the buckets are larger if the keys are
 * so long that the sample must be small.
 */
int splitters_choose(const struct splitters_file *, const struct order *,
    size_t nodes, struct sublists *buckets, struct hp_err *);

#endif
