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

/* One parameter of the cost function, as given by --at NAME=VALUE. */
struct at {
	const char *name; /* start of the name, which has `len` bytes */
	size_t len;
	double value;
};

struct opts {
	bool counted;
	uint64_t n;
	/* cost function; NULL: that of the plan, or COST_DEFAULT */
	const char *cost;
	/* argument of --speeds; NULL: read the cluster file */
	const char *speeds;
	const char *cluster;
	enum method method;
	struct at at[SETTINGS];
	size_t nat;
	double item_bytes; /* mean bytes of an item; 0: not given */
	bool by_key;	   /* the launcher divides the items by key */
	/* probability of the quantile of --risk; 0: not given */
	double risk;
	uint64_t block;	     /* block size for dp and --pareto; 0: not given */
	const char *weights; /* file with the weights of the items, or NULL */
	const char *check;   /* file with the plan to check, or NULL */
	bool compare;
	/* format of --format; NULL: that of hp-plan(5) */
	const struct foreign_format *format;
	bool pareto;
	bool stats;
	bool bounded; /* --beyond was given; it overrides the cluster file */
	enum beyond beyond;
};

/* Parses the command line. Prints usage and exits 2 if it is wrong. */
void opts_parse(struct opts *, int argc, char *argv[]);

#endif
