#ifndef HP_SHARE_PLAN_H
#define HP_SHARE_PLAN_H

/*
 * How many items each node gets: hp-plan(5).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "cost/curve.h"
#include "cost/surface.h"

struct share {
	char *node;	   /* its name */
	uint64_t n;	   /* items */
	uint64_t offset;   /* the sum of n over the ranks before */
	double seconds;	   /* when it will be done */
	bool extrapolated; /* more items than were measured */
};

struct plan {
	struct share *share; /* by rank */
	size_t nodes;
	size_t cap;
	uint64_t n;   /* the sum of all shares */
	char *method; /* that chose the shares */
	char *cost;   /* what the seconds were computed from */
	bool bounded; /* `beyond` was in place of what the nodes say */
	enum beyond beyond;
	struct setting *at; /* the values of parameters that were given */
	size_t nat;
	char *digest;	 /* of the times (doc/digest.h), or NULL */
	double makespan; /* the latest of the shares' seconds */
	double bound;	 /* the least makespan there is */
	bool optimal;	 /* makespan is the least */
	bool unique;	 /* no other plan has this makespan or less */
};

/*
 * Adds the next rank's share; the offset is set here.  Takes over the name, of
 * malloc.
 */
int plan_add(
    struct plan *, char *node, uint64_t n, double seconds, struct hp_err *);
void plan_fini(struct plan *);

#endif
