#ifndef HP_SPLIT_AREAS_H
#define HP_SPLIT_AREAS_H

/*
 * The areas of the output of a range partitioning (partition.h). An area
 * consists of successive buckets. The records of an area belong to one node,
 * and are written in the order of the input. But a bucket that contains the
 * records of several nodes is an area of its own, which is kept in memory until
 * it is complete.
 *
 * The input consists of chunks. In each area, the records of a chunk have a
 * place of their own, so that several threads can add records at the same time,
 * each those of one chunk.
 */

#include "base/sum.h"
#include "split/classify.h"

struct bucket {
	uint64_t records, bytes;
};

struct area {
	uint64_t first;	 /* number of records in all areas before it */
	uint64_t offset; /* place in the output */
	uint64_t records, bytes;
	size_t end;	    /* number of the bucket after its last one */
	size_t node;	    /* the node that gets the first of its records */
	bool divided;	    /* not all of its records belong to this node */
	unsigned char *buf; /* the whole area, if it is divided */
};

/* What a chunk adds to an area. */
struct area_part {
	uint64_t at;		 /* place in the output */
	uint64_t records, bytes; /* as counted */
	/* a buffer, or the part's place in the buffer of a divided area */
	unsigned char *buf;
	size_t room, used;
	uint64_t written, added; /* bytes that were written, records */
	struct sum checksum;
};

struct areas {
	struct area *v;
	size_t n, cap;
	struct area_part *part; /* [chunks][n] */
	size_t chunks;
	/* the areas as sublists, for a classifier */
	struct sublists bounds;
	const uint64_t *end; /* end[i]: records of the nodes 0 to i */
	size_t nodes;
	bool approximate; /* no bucket is divided */
	const struct format *format;
	int fd;
	const char *name; /* of the output, for messages */
};

/*
 * Makes the areas from the sums of the buckets: bucket[c][b] is what chunk c
 * has in bucket b. Node i gets the records before end[i] that no node before it
 * gets. If the shares are approximate, the node of the record in the middle of
 * a bucket gets the whole bucket.
 */
int areas_make(struct areas *, const struct sublists *buckets,
    struct bucket *const *bucket, size_t chunks, struct hp_err *);
/*
 * Adds a record of a chunk to an area. Threads may call this at the same time
 * for different chunks. Fails with HP_INPUT if the area has no room for the
 * record: the input has changed.
 */
int areas_add(struct areas *, size_t chunk, size_t area, struct span record,
    struct hp_err *);
/*
 * Writes what is still in memory. Fails with HP_INPUT if an area is not full.
 * Writes the records of a divided area node by node. Calls `tell` for each part
 * of each node.
 */
int areas_end(struct areas *, const struct order *,
    void (*tell)(void *context, size_t node, uint64_t bytes, uint64_t records,
	const struct sum *),
    void *context, struct hp_err *);
void areas_fini(struct areas *);

#endif
