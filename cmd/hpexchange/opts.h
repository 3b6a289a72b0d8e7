#ifndef HP_CMD_HPEXCHANGE_OPTS_H
#define HP_CMD_HPEXCHANGE_OPTS_H

/* The command line of hpexchange. */

#include <stdint.h>

#include "link/transport.h"
#include "sent.h"

#define OPTS_PORTS_MOST 1000 /* of --free-port */

struct opts {
	/* Option arguments; NULL: not given. */
	const char *cluster, *node, *input, *extents, *prefix, *trace, *serve,
	    *spool, *report, *key;
	struct sent_sums sums;
	const struct transport *transport; /* NULL: not given */
	uint64_t free_ports;		   /* 0: not given */
	uint64_t most;			   /* of --most; 0: not given */
	int threads;			   /* -1: not given */
	struct transport_options link;
};

/* Parses the command line.  Prints usage and exits 2 if it is wrong. */
void opts_parse(struct opts *, int argc, char *argv[]);

#endif
