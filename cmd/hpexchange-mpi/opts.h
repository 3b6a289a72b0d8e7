#ifndef HP_CMD_HPEXCHANGE_MPI_OPTS_H
#define HP_CMD_HPEXCHANGE_MPI_OPTS_H

/* The command line of hpexchange-mpi. */

#include <stdint.h>

#include "sent.h"

struct opts {
	/* Option arguments; NULL: not given. `{rank}` is not yet replaced. */
	const char *cluster, *input, *extents, *prefix, *trace;
	struct sent_sums sums;
	double timeout_s;
	uint64_t window; /* bytes */
};

/* Parses the command line.  Prints usage and exits 2 if it is wrong. */
void opts_parse(struct opts *, int argc, char *argv[]);

/*
 * Returns a copy of the text with the rank in place of each `{rank}`.  Returns
 * NULL with errno if memory is short.
 */
char *opts_with_rank(const char *, uint32_t rank);

#endif
