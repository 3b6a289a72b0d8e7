#ifndef HP_SHARE_CLUSTER_H
#define HP_SHARE_CLUSTER_H

/*
 * The nodes of a cluster, as hp-cluster(5) describes them. A node's rank is its
 * index in the cluster, from 0.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "cost/curve.h"
#include "cost/surface.h"

/* The link of a machine: bytes per second in each direction. */
struct link {
	bool known;	  /* the document has it; otherwise it takes no time */
	double send;	  /* what the machine sends; 0: no limit */
	double receive;	  /* what it receives; 0: no limit */
	double latency_s; /* added once to each transfer */
};

/* The machine that has the input and gets the result. */
struct launcher {
	bool known; /* the document has a line for it */
	struct link link;
	/* its time to sort all items alone; unknown without speed and points */
	struct curve curve;
};

/* The electric power of a node in watts; busy is at least idle. */
struct power {
	bool known; /* the document has it */
	double idle, busy;
};

struct node {
	char *name; /* never NULL; unique in the cluster */
	char *host; /* NULL: not given */
	char *dir;  /* NULL: not given */
	char *workload;
	uint16_t port; /* 0: not given */
	struct curve curve;
	struct link link;
	struct power power;
	double merge_s_per_item; /* seconds to merge one item; 0: not given */
	/* speeds measured at several parameter values */
	struct surface surface;
};

struct cluster {
	struct node *node;
	size_t n;
	size_t cap;
	struct launcher launcher;
	uint32_t *slot; /* hash table of ranks by name */
	size_t nslots;
};

/*
 * Adds a node and takes ownership of what it points to. Fails with HP_INPUT if
 * the cluster has a node of that name. The struct must be zeroed before the
 * first call.
 */
int cluster_add(struct cluster *, struct node *, struct hp_err *);
void cluster_fini(struct cluster *);
void node_fini(struct node *);

/*
 * Moves a node's points and capacity from its curve into its surface. A node
 * with a single section keeps them in the curve, because most code uses only
 * the curve.
 */
void node_move_points(struct node *);

/*
 * Sets the cost function. The time of n items on a node with a speed is the
 * cost of n divided by the speed. The cost must outlive the cluster. If no node
 * has a speed or points, all nodes get speed 1.
 */
void cluster_set_cost(struct cluster *, const struct cost *);

/*
 * Fixes one parameter of all measured nodes at a value; at least one node must
 * have the parameter. Once all parameters are fixed, call cluster_flat: it
 * makes the remaining section of each node its curve. cluster_flat fails with
 * HP_USAGE and the parameter's name if one is not fixed yet.
 */
int
cluster_cut(struct cluster *, const char *name, double value, struct hp_err *);
int cluster_flat(struct cluster *, struct hp_err *);

/*
 * Returns whether some node needs less time for more items. If so, stores the
 * node's rank and the point at which its time decreases (curve_falls). Either
 * pointer may be NULL.
 */
bool cluster_falls(const struct cluster *, size_t *rank, size_t *point);

/*
 * Replaces the time of each measured point by its quantile: low + P (high -
 * low). A point without both times, or with low above high, stays as it is.
 * Returns whether a point was replaced. Call this before cluster_cut.
 */
bool cluster_risk(struct cluster *, double P);

/* Returns whether the rates of some link are known. */
bool cluster_linked(const struct cluster *);

/*
 * Finds the rank of a node. A decimal number is a rank; anything else is a
 * name. Fails with HP_USAGE if there is no such node.
 */
int cluster_find(
    const struct cluster *, const char *, size_t *rank, struct hp_err *);

/* Finds the rank of the node of that name. Returns -1 if there is none. */
int cluster_named(const struct cluster *, const char *name, size_t *rank);

#endif
