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

/* The network link of a machine, with its rates in bytes per second. */
struct link {
	/*
	 * whether the cluster document describes the link; if it does not, the
	 * link takes no time
	 */
	bool known;
	double send;	  /* what the machine sends; 0: no limit */
	double receive;	  /* what it receives; 0: no limit */
	double latency_s; /* added once to each transfer */
};

/* The launcher: the machine that has the input and gets the result. */
struct launcher {
	bool known; /* the document has a line for it */
	struct link link;
	/*
	 * The time that the launcher needs to sort all items alone. Unknown if
	 * the launcher has no speed and no measured points.
	 */
	struct curve curve;
	/* seconds before the first step, without the logins; 0: not given */
	double begin_s;
	/* seconds from the last byte of the result to the end of the run; 0:
	 * not given
	 */
	double finish_s;
	/*
	 * The same for a run that deals its items in batches by key; 0: as in
	 * other runs.  Such a run divides the items while it logs in.
	 */
	double batch_begin_s, batch_finish_s;
	/* seconds per item to divide the items by key; 0: not given */
	double divide_s_per_item;
};

/*
 * The electric power of a node in watts, when it is idle and when it is busy.
 * The busy power is at least the idle power.
 */
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
	/* time in seconds to merge one item; 0: not given */
	double merge_s_per_item;
	/* time of a login to the node's host, in seconds; 0: not given */
	double login_s;
	/* time of a step without work, in seconds; 0: not given */
	double step_s;
	/*
	 * Seconds per item for work that a node does during a transfer of the
	 * items; 0: not given.
	 */
	double arrive_s_per_item;   /* while the node's part arrives */
	double exchange_s_per_item; /* of the items that leave and arrive */
	double return_s_per_item;   /* merging, while the result is returned */
	/*
	 * Seconds per item that the node needs while it receives batches, sorts
	 * them and returns them, all at the same time; 0: not given.
	 */
	double batch_s_per_item;
	/*
	 * The node sorts while its items arrive. This is the fraction of the
	 * sort's time that is left when the last item has arrived. 0: not
	 * given, the sort begins after the last item.
	 */
	double sort_rest;
	/*
	 * Seconds in which the node counts its items that sort before one
	 * candidate, in the search for the pivots; 0: not given.
	 */
	double candidate_s;
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
 * Adds a node to the cluster, which from now on owns the memory that the node
 * points to. Fails with HP_INPUT if the cluster already has a node of that
 * name. The struct must be zeroed before the first node is added.
 */
int cluster_add(struct cluster *, struct node *, struct hp_err *);
void cluster_fini(struct cluster *);
void node_fini(struct node *);

/*
 * A node has one measured curve (its time as a function of items), or several,
 * one for each value of other parameters. Several curves form a surface. Moves
 * the node's points and capacity from its curve to its surface.
 */
void node_move_points(struct node *);

/*
 * Sets the cost function of all nodes. A node with a speed takes time cost(n) /
 * speed for n items. The cost must outlive the cluster. If no node has a speed
 * or measured points, all nodes get speed 1.
 */
void cluster_set_cost(struct cluster *, const struct cost *);

/*
 * Times may be measured for several values of a parameter, such as the width of
 * a matrix. cluster_cut sets one parameter to a value, for all nodes with such
 * measurements; at least one node must have the parameter. Call cluster_flat
 * when all parameters are set: each node then gets the curve (its time as a
 * function of items) for these values. Each fails with HP_USAGE, but
 * cluster_flat fails with HP_INPUT if a parameter is not set.
 */
int
cluster_cut(struct cluster *, const char *name, double value, struct hp_err *);
int cluster_flat(struct cluster *, struct hp_err *);

/*
 * Returns whether the time of some node decreases when its number of items
 * grows. If so, stores the node's rank, and the measured point at which its
 * time decreases. Either pointer may be NULL.
 */
bool cluster_falls(const struct cluster *, size_t *rank, size_t *point);

/*
 * Replaces the time of each measured point by a quantile of its times: low + P
 * (high - low). Leaves a point unchanged if low or high is missing, or low is
 * greater than high. Returns whether any point was replaced. Call this function
 * before cluster_cut.
 */
bool cluster_risk(struct cluster *, double P);

/* Returns whether the transfer rates of some link are known. */
bool cluster_linked(const struct cluster *);

/*
 * Finds the rank of a node. The argument is the rank itself, as a decimal
 * number, or the name of the node. Fails with HP_USAGE if there is no such
 * node.
 */
int cluster_find(
    const struct cluster *, const char *, size_t *rank, struct hp_err *);

/* Finds the rank of the node with that name. Returns -1 if there is none. */
int cluster_named(const struct cluster *, const char *name, size_t *rank);

#endif
