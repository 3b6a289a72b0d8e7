#ifndef HP_SHARE_FIT_H
#define HP_SHARE_FIT_H

/*
 * Fits the model of a whole run (stages.h) to the times of a trial: a run that
 * has sorted some items on all nodes. For the shares of the trial, the fitted
 * model has the times that were measured.
 *
 * A time below FIT_LEAST_S says nothing about the time of an item, because the
 * start of a step takes about as long. It is ignored, except in the search for
 * pivots, which has few documents for any number of items.
 */

#include "share/stages.h"

#define FIT_LEAST_S 0.25

/* Times of one node in seconds; 0: not measured. */
struct fit_node {
	/* receiving its items, while no other node received any */
	double send_alone;
	/* sorting, after its last item had arrived */
	double rest;
	double merge; /* merging into a file */
	/* merging and returning its items, while no other node did */
	double gather_alone;
};

/* Times of all nodes together, in seconds; 0: not measured. */
struct fit_times {
	struct fit_node *node; /* by rank */
	double send, pivots, exchange;
	double gather; /* merging and returning all items */
};

/*
 * Stores in the nodes and the launcher of the cluster what follows from the
 * times, if node i had n[i] items in the trial. The rates of the links that are
 * known stay those of the nodes, but the launcher's rates change. `total` and
 * `item_bytes` are those of the trial.
 */
void fit_stages(struct cluster *, double item_bytes, uint64_t total,
    const uint64_t *n, const struct fit_times *);

#endif
