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
	uint64_t offset; /* the sum of the shares n of all lower ranks */
	double seconds;	 /* finish time */
	bool weighted;	 /* the items have weights: their sum is `weight` */
	double weight;
	bool extrapolated; /* n exceeds the measured sizes */
};

/* One stage of a whole run: stages.h. */
struct plan_stage {
	char *name;
	double seconds;	 /* until the last node and the launcher have ended */
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
	 * what the times are based on: measured points or a cost; see
	 * answer_cost
	 */
	char *cost;
	/* the user chose `beyond`; it replaces the setting of each node */
	bool bounded;
	enum beyond beyond;
	struct setting *at; /* the parameter values that the user fixed */
	size_t nat;
	char *digest;	 /* of the nodes' times (doc/digest.h), or NULL */
	double makespan; /* latest finish time, in seconds */
	double bound;	 /* the least possible makespan, in seconds */
	bool optimal;	 /* the makespan is the least possible */
	bool unique;	 /* every other plan has a larger makespan */
	bool weighted;	 /* the items have weights: their sum is `weight` */
	double weight;
	/* of a whole run; none: the makespan is that of the sort alone */
	struct plan_stage *stage;
	size_t nstages;
	double risk;	   /* the level of the quantile; 0: the mean times */
	double item_bytes; /* mean size of an item; 0: not given */
	/* time of the launcher to sort all items alone; 0: unknown */
	double alone;
};

/*
 * Appends the share of the next rank and computes its offset. Takes ownership
 * of the name, which must come from malloc.
 */
int plan_add(
    struct plan *, char *node, uint64_t n, double seconds, struct hp_err *);
/* Appends an empty stage and returns it. */
struct plan_stage *plan_stage_add(struct plan *, struct hp_err *);
void plan_fini(struct plan *);

#endif
