#ifndef HP_CMD_HPSOLVE_OPTS_H
#define HP_CMD_HPSOLVE_OPTS_H

/* The command line of hpsolve. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost/curve.h"
#include "share/method.h"

enum {
	SETTINGS = 16
};

/* --at NAME=VALUE. */
struct at {
	const char *name; /* len bytes of it */
	size_t len;
	double value;
};

struct opts {
	bool counted;
	uint64_t n;
	const char *cost;   /* or NULL: the plan's, or COST_DEFAULT */
	const char *speeds; /* or NULL: by the cluster */
	const char *cluster;
	enum method method;
	struct at at[SETTINGS];
	size_t nat;
	uint64_t block;	   /* of the dynamic program, or 0 */
	const char *check; /* a plan, or NULL */
	bool compare;
	bool stats;
	bool bounded; /* --beyond: in place of what the nodes say */
	enum beyond beyond;
};

/* Prints usage and exits where the command line makes no sense. */
void opts_parse(struct opts *, int argc, char *argv[]);

#endif
