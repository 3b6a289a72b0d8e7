#ifndef HP_CMD_HPRUN_COLLECT_H
#define HP_CMD_HPRUN_COLLECT_H

/*
 * Collects the parts of the result while the hosts merge them.  The output of
 * hpmerge on a host is a stream to the launcher.  The launcher computes a
 * summary and writes the stream to its offset in the result.  No host stores
 * its part.
 * | The checksums of the exchange include the sizes of the parts, so all
 * offsets are known before the first byte arrives.
 */

#include "checktap.h"
#include "run.h"

struct collect {
	struct checktap *tap; /* by rank */
	uint64_t *bytes;      /* bytes of each node's part of the result */
	uint64_t *at;	      /* offset of each node's part in the result */
	size_t nodes;
};

/*
 * Returns whether the node's part of the result comes to the launcher as a
 * stream.
 */
bool collects(const struct run *, size_t rank);
/* Reads the sizes of all parts of the result, and computes their offsets. */
int collect_begin(struct run *, struct collect *, struct hp_err *);
/* Frees the sizes and offsets.  Does nothing on a zeroed struct. */
void collect_fini(struct collect *);
/*
 * Returns the output port of a node's merge: the offset of its part in the
 * result file.
 */
struct port
collect_port(const struct run *, const struct collect *, size_t rank);
/*
 * Checks that each part of the result is as long as planned.  For each part
 * that came as a stream, writes the file pieces.R, where R is the rank of the
 * node.
 */
int collect_end(struct run *, const struct collect *, struct hp_err *);

#endif
