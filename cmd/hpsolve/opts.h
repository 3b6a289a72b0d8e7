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

/* One --at NAME=VALUE. */
struct at {
	const char *name; /* NAME, len bytes */
	size_t len;
	double value;
};

struct opts {
	bool counted;
	uint64_t n;
	const char *cost;   /* NULL: the plan's, or COST_DEFAULT */
	const char *speeds; /* NULL: use the cluster */
	const char *cluster;
	enum method method;
	struct at at[SETTINGS];
	size_t nat;
	double item_bytes;   /* mean size of an item; 0: not given */
	double risk;	     /* level of the quantile; 0: not given */
	uint64_t block;	     /* for dp and --pareto; 0: not given */
	const char *weights; /* file of the items' weights, or NULL */
	const char *check;   /* plan to check, or NULL */
	bool compare;
	const struct foreign_format *format; /* of --format; NULL: hp-plan(5) */
	bool pareto;
	bool stats;
	bool bounded; /* --beyond was given: it overrides the nodes */
	enum beyond beyond;
};

/* Parses the command line. Prints usage and exits 2 if it is wrong. */
void opts_parse(struct opts *, int argc, char *argv[]);

#endif
