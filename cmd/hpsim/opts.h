#ifndef HP_CMD_HPSIM_OPTS_H
#define HP_CMD_HPSIM_OPTS_H

/* The command line of hpsim. */

#include <stdbool.h>
#include <stdint.h>

#include "share/method.h"
#include "split/demand.h"

struct opts {
	enum demand_method algorithm; /* of -a */
	bool counted;
	uint64_t n;
	const char *cluster;
	const char *plan; /* NULL: solve */
	const char *cost; /* NULL: COST_DEFAULT */
	enum method method;
	double item_bytes; /* mean bytes of an item; 0: take it from the plan */
	double step_s;	   /* seconds to start a step; 0: not given */
	uint64_t groups;   /* most senders that the simulated exchange has */
	bool half_duplex;
	bool in_place; /* --in-place: the nodes have their input already */
	bool leave;    /* --leave: the results stay on the nodes */
	const char *trace;
	const char *run;
};

/* Parses the command line. Prints usage and exits 2 if it is wrong. */
void opts_parse(struct opts *, int argc, char *argv[]);

#endif
