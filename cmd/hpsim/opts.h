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
	double item_bytes; /* mean size of an item; 0: the plan's */
	double step_s;	   /* time to start a step; 0: not given */
	uint64_t groups;   /* most senders that the exchange simulates */
	bool half_duplex;
	bool in_place; /* nothing is sent to the nodes */
	bool leave;    /* nothing is gathered */
	const char *trace;
	const char *run;
};

/* Parses the command line. Prints usage and exits 2 if it is wrong. */
void opts_parse(struct opts *, int argc, char *argv[]);

#endif
