#ifndef HP_SHARE_PLAN_H
#define HP_SHARE_PLAN_H

/* A plan: how many items each node gets. hp-plan(5) describes the document. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "cost/curve.h"
#include "cost/surface.h"

struct share {
	char *node;	 /* the node's name */
	uint64_t n;	 /* items */
	uint64_t offset; /* number of items of all nodes with lower ranks */
	double seconds;	 /* finish time */
	/*
	 * true: the items have different weights; `weight` is the sum of the
	 * weights of this node's items
	 */
	bool weighted;
	double weight;
	bool extrapolated; /* n exceeds the measured sizes */
};

/* One stage of a whole run: stages.h. */
struct plan_stage {
	char *name;
	/*
	 * time in seconds until the last node and the launcher have finished
	 * the stage
	 */
	double seconds;
	double launcher; /* seconds of the launcher */
	double *node;	 /* seconds of each node, by rank */
};

struct plan {
	struct share *share; /* by rank */
	size_t nodes;
	size_t cap;
	uint64_t n;   /* the sum of all shares */
	char *method; /* name of the method that chose the shares */
	/*
	 * which data the times are based on: measured points, a cost or both;
	 * see answer_cost
	 */
	char *cost;
	/*
	 * true: the user has chosen `beyond`, the assumption about speeds
	 * outside the measured sizes; it replaces each node's own setting
	 */
	bool bounded;
	enum beyond beyond;
	struct setting *at; /* the parameter values that the user fixed */
	size_t nat;
	/* digest of the nodes' times (doc/digest.h), or NULL */
	char *digest;
	double makespan; /* latest finish time, in seconds */
	double bound;	 /* the least possible makespan, in seconds */
	bool optimal;	 /* the makespan is the least possible */
	bool unique;	 /* every other plan has a larger makespan */
	/*
	 * true: the items have different weights; `weight` is the sum of all
	 * weights
	 */
	bool weighted;
	double weight;
	/*
	 * The stages of a whole run, such as sending and merging. If this is
	 * NULL, the makespan is the time of the sort alone.
	 */
	struct plan_stage *stage;
	size_t nstages;
	/*
	 * the quantile of the measured times that the plan uses; 0: the mean
	 * times
	 */
	double risk;
	double item_bytes; /* mean size of an item in bytes; 0: not given */
	bool by_key;	   /* the launcher divides the items by key */
	/* time in which the launcher would sort all items alone; 0: unknown */
	double alone;
};

/*
 * Appends the share of the next rank and computes its offset. The plan then
 * owns the name, which must come from malloc.
 */
int plan_add(
    struct plan *, char *node, uint64_t n, double seconds, struct hp_err *);
/* Appends an empty stage and returns it. */
struct plan_stage *plan_stage_add(struct plan *, struct hp_err *);
void plan_fini(struct plan *);

#endif
