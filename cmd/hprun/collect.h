#ifndef HP_CMD_HPRUN_COLLECT_H
#define HP_CMD_HPRUN_COLLECT_H

/*
 * Collects the parts of the result while the hosts merge them.  What hpmerge
 * writes comes as a stream, which the launcher summarizes and writes to its
 * place in the result.  No host stores its part.
 *
 * The sums of the exchange give the sizes of the parts, so that all places are
 * known before the first byte.
 */

#include "checktap.h"
#include "run.h"

struct collect {
	struct checktap *tap; /* by rank */
	uint64_t *bytes;      /* size of each part */
	uint64_t *at;	      /* offset of each part in the result */
	size_t nodes;
};

/* Tells whether the part of this node comes as a stream. */
bool collects(const struct run *, size_t rank);
/* Reads the sizes of all parts. */
int collect_begin(struct run *, struct collect *, struct hp_err *);
/* Does nothing on a zeroed struct. */
void collect_fini(struct collect *);
/* Returns the place of a node's part, for the output of its merge. */
struct port
collect_port(const struct run *, const struct collect *, size_t rank);
/*
 * Checks that the parts are as long as planned, and writes pieces.R for each
 * stream.
 */
int collect_end(struct run *, const struct collect *, struct hp_err *);

#endif
