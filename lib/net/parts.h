#ifndef HP_NET_PARTS_H
#define HP_NET_PARTS_H

/*
 * A file as the input of a node, divided into extents that belong to different
 * nodes. Each node has its own read position in the file. So a slow receiver
 * does not delay the others.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "record/frame.h"
#include "record/piecesum.h"

/*
 * Bytes in a frame.  A frame is so small that its bytes stay in the cache from
 * read(2) over the checksum to write(2).  It is so large that threads do not
 * wake up often for little work.
 *
 * sendfile(2) is not used, because it would gain nothing.  The processor must
 * read the bytes for the checksum anyway.  Over TCP, sendfile takes a quarter
 * more processor time, because it sends page by page.  With TLS, the bytes must
 * be encrypted.  With unix sockets, the bytes are not copied after the read
 * (window.h).
 */
#define PARTS_CHUNK (((size_t)1 << 19) - FRAME_HEAD)

struct exchange_part {
	uint32_t sublist; /* sublist i belongs to node i */
	uint64_t offset, bytes, records;
};

/* The read position of one node. */
struct part_cursor {
	size_t next;	/* index of the extent */
	uint64_t bytes; /* bytes of the extent that were read */
	/*
	 * records of the extent in the record counts of the frames read so far
	 */
	uint64_t records;
};

/*
 * The checksum of the records of an extent. It is computed while the extent is
 * read for its receiver. After a restart, this reading may begin in the middle
 * of the extent.
 */
struct part_sum {
	struct piecesum sum;
	/*
	 * number of bytes, from the beginning of the extent, that the checksum
	 * covers so far
	 */
	uint64_t bytes;
};

struct parts {
	int fd;
	const char *path;
	uint32_t me, nodes;
	const struct exchange_part *part; /* borrowed */
	size_t n;
	struct part_cursor *cursor; /* by rank */
	/* one checksum per extent; borrowed; NULL: none */
	struct part_sum *sum;
};

/*
 * Opens the file. Fails with HP_INPUT when an extent exceeds the file or
 * belongs to no node.
 */
int parts_open(struct parts *, const char *path, const struct exchange_part *,
    size_t n, uint32_t me, uint32_t nodes, struct hp_err *);
void parts_close(struct parts *);
/*
 * Earlier frames contained the given numbers of records and bytes for a node.
 * Moves the node's read position behind them. Sets `inside` if this position is
 * inside an extent, a byte range of the file. Fails with HP_INPUT if frames of
 * these extents cannot have contained such numbers.
 */
int parts_seek(struct parts *, uint32_t node, uint64_t records, uint64_t bytes,
    bool *inside, struct hp_err *);
/*
 * Reads the next payload for a node, at most PARTS_CHUNK bytes. Fills in the
 * frame, except its number. The frames of an extent (byte range of the file)
 * are flagged as parts of one long record. So the receiver writes the extent to
 * standard output as a whole. Returns 1, or 0 at the end, or -1 on error.
 */
int parts_next(struct parts *, uint32_t node, unsigned char *payload,
    struct frame *, struct hp_err *);
/* Completes the checksums of those extents that were read completely. */
int parts_sum_read(const struct parts *, struct hp_err *);
/*
 * Completes the checksums of all extents. After a restart, this reads again
 * what an earlier process has sent, which may take long.
 */
int parts_sum_rest(struct parts *, struct hp_err *);

#endif
