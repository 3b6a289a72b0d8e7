#ifndef HP_NET_PARTS_H
#define HP_NET_PARTS_H

/*
 * A file whose parts belong to different nodes, as the input of a node: each
 * part is read at its own pace, so that a node which takes nothing now does not
 * hold up the others.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "record/frame.h"

/*
 * Small enough to stay in the cache between reading, hashing and sending; large
 * enough that a thread is not woken for little.  The file is read, and not
 * mapped and sent by sendfile(2): since it has to be hashed it goes through the
 * processor anyway, and over TCP sendfile takes a quarter more of its time, for
 * all that is sent goes page by page.  By unix sockets what is read goes no
 * further (window.h), and TLS cannot use it at all.
 */
#define PARTS_CHUNK (((size_t)1 << 19) - FRAME_HEAD)

struct exchange_part {
	uint32_t sublist; /* sublist i belongs to node i */
	uint64_t offset, bytes, records;
};

struct part_cursor {
	size_t next;	  /* extent that is read, or looked at, next */
	uint64_t bytes;	  /* of it that were read */
	uint64_t records; /* of it that were told in frames */
};

struct parts {
	int fd;
	const char *path;
	uint32_t me, nodes;
	const struct exchange_part *part; /* borrowed */
	size_t n;
	struct part_cursor *cursor; /* one a node */
};

/* HP_INPUT when an extent reaches beyond the file, or is of no node. */
int parts_open(struct parts *, const char *path, const struct exchange_part *,
    size_t n, uint32_t me, uint32_t nodes, struct hp_err *);
void parts_close(struct parts *);
/*
 * Go on behind so many records and bytes of a node, as frames told them.
 * `inside` tells whether an extent goes on there.  HP_INPUT when no frame ends
 * there.
 */
int parts_seek(struct parts *, uint32_t node, uint64_t records, uint64_t bytes,
    bool *inside, struct hp_err *);
/*
 * The next bytes for a node: PARTS_CHUNK at most, with their frame, which has
 * no number yet.  Each extent is sent like one long record, so that extents are
 * what interleaves on a standard output.  Returns 1, 0 when there is no more,
 * -1.
 */
int parts_next(struct parts *, uint32_t node, unsigned char *payload,
    struct frame *, struct hp_err *);

#endif
