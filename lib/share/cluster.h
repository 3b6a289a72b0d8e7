#ifndef HP_SHARE_CLUSTER_H
#define HP_SHARE_CLUSTER_H

/*
 * The machines: hp-cluster(5).  A node's rank is its place, from 0.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "cost/curve.h"
#include "cost/surface.h"

struct node {
	char *name; /* never NULL, no two nodes have the same */
	char *host; /* NULL: not given */
	char *dir;  /* NULL: not given */
	char *workload;
	uint16_t port; /* 0: not given */
	struct curve curve;
	struct surface surface; /* of what was measured with parameters */
};

struct cluster {
	struct node *node;
	size_t n;
	size_t cap;
	uint32_t *slot; /* hash table of ranks by name */
	size_t nslots;
};

/*
 * Adds a node and takes over what it points to; -1 with HP_INPUT when there is
 * a node of that name.  Start from a zeroed struct.
 */
int cluster_add(struct cluster *, struct node *, struct hp_err *);
void cluster_fini(struct cluster *);
void node_fini(struct node *);

/*
 * The points of a node are in its curve, for everybody to use, as long as it
 * has no other section; this moves them, and the capacity, into the section.
 */
void node_lend_points(struct node *);

/*
 * What the speeds of all nodes divide; must outlive the cluster.  Where no node
 * has a speed or points they count as equally fast.
 */
void cluster_set_cost(struct cluster *, const struct cost *);

/*
 * Fixes a parameter of all measured nodes; some node must have it.  After the
 * last, cluster_flat fails with HP_USAGE and the parameter where one is open
 * still, and else makes what is left the points of the curves.
 */
int
cluster_cut(struct cluster *, const char *name, double value, struct hp_err *);
int cluster_flat(struct cluster *, struct hp_err *);

/*
 * Does any node need less time for more items?  Then which, and by which point
 * (curve_falls), unless NULL.
 */
bool cluster_falls(const struct cluster *, size_t *rank, size_t *point);

/*
 * The rank of the node that the string names: a decimal number is a rank,
 * anything else a name.  HP_USAGE when there is none.
 */
int cluster_find(
    const struct cluster *, const char *, size_t *rank, struct hp_err *);

/* The rank of the node of that name, or -1. */
int cluster_named(const struct cluster *, const char *name, size_t *rank);

#endif
