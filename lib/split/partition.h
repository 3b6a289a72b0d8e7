#ifndef HP_SPLIT_PARTITION_H
#define HP_SPLIT_PARTITION_H

/*
 * Range partitioning: divides the records of an unsorted file by their keys.
 * The first node gets the records that come first in the sorted order, and so
 * on. Each node gets exactly its share, whatever the keys are. Records with
 * equal keys keep the order of the input. A node that sorts its records stably
 * has its part of the result.
 *
 * The file is read twice. The first pass counts the records and bytes of many
 * small buckets (splitters.h). From these sums follow the place of every bucket
 * in the output, and the few buckets that contain records of two nodes. The
 * second pass copies each record to its place. The buckets of two nodes are
 * kept in memory, and sorted, to find where they must be divided. In both
 * passes, each thread reads a chunk of the file.
 */

#include "base/sum.h"
#include "record/order.h"
#include "split/records.h"

/* How to divide the records. */
struct partition_job {
	const uint64_t *share; /* records of each node */
	size_t n;
	/*
	 * Divides no bucket, so the nodes get their shares only approximately.
	 * No bucket need be kept in memory.
	 */
	bool approximate;
	unsigned threads; /* 0 counts as 1 */
	int to;		  /* the output, open for writing */
	const char *name; /* of the output, for messages */
};

/* The records of a node in the output. */
struct partition_part {
	uint64_t offset, bytes, records;
	struct sum checksum;
};

/*
 * Writes the records of the file `path` to the output, node after node; part[i]
 * tells where the records of node i are. The last line gets a delimiter if it
 * has none. Fails with HP_USAGE if the file is not regular. Fails with HP_INPUT
 * if the shares do not add up to the number of records, or if the file changes
 * meanwhile. O(records log buckets).
 *
 * Memory: 64 MiB or less for buffers, but 4 KiB or more for each thread and
 * node, and 64 MiB or less for the splitters. Unless the shares are
 * approximate, also the buckets that contain records of several nodes. Each of
 * these has about 1/2000 of the records.
 */
int partition(const char *path, const struct range *, const struct order *,
    const struct partition_job *, struct partition_part *part, struct hp_err *);

#endif
