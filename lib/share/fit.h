#ifndef HP_SHARE_FIT_H
#define HP_SHARE_FIT_H

/*
 * Fits the model of a whole run (stages.h) to the times of a trial: a run that
 * has sorted some items on all nodes. For the shares of the trial, the fitted
 * model has the times that were measured.
 *
 * In a transfer, the nodes share the launcher's link with max-min fairness
 * (Bertsekas and Gallager, "Data Networks", section 6.5, 1992): all nodes that
 * the launcher limits have the same rate. So a node that is clearly slower than
 * the fastest one is limited by itself, even if it is faster alone. The rate of
 * the launcher follows from the time until the other nodes had moved all their
 * items.
 *
 * A time below FIT_LEAST_S says nothing about the time of an item, because the
 * start of a step takes about as long. It is ignored, except in the search for
 * pivots, which has few documents for any number of items.
 */

#include "share/stages.h"

#define FIT_LEAST_S 0.25

/*
 * Times of one node in seconds; 0: not measured. `alone` means that no other
 * node received or returned items at that time, and `together` that all nodes
 * did.
 */
struct fit_node {
	double send_alone, send_together; /* receiving its items */
	/* sorting, after its last item had arrived */
	double rest;
	double merge; /* merging into a file */
	/* merging and returning its items */
	double gather_alone, gather_together;
};

/* Times of all nodes together, in seconds; 0: not measured. */
struct fit_times {
	struct fit_node *node; /* by rank */
	/* until the last node had received or returned its items */
	double send, gather;
	double pivots, exchange;
};

/*
 * Stores in the nodes and the launcher of the cluster what follows from the
 * times, if node i had n[i] items in the trial. The rates of the links that are
 * known stay those of the nodes, but the launcher's rates change. `total` and
 * `item_bytes` are those of the trial.
 */
void fit_stages(struct cluster *, double item_bytes, uint64_t total,
    const uint64_t *n, const struct fit_times *);

/*
 * Fits the cluster again, after a trial with the shares of a plan that was made
 * after fit_stages. Only the times of all nodes together count, and the rests
 * of the sorts.
 */
void fit_again(struct cluster *, double item_bytes, uint64_t total,
    const uint64_t *n, const struct fit_times *);

/* A whole run: its times, and the shares of its plan. */
struct fit_run {
	struct fit_times times;
	const uint64_t *n; /* by rank */
	uint64_t total;
};

/*
 * Fits the cluster to several runs with different plans, as fit_again does.
 * Uses the mean times of the fastest run and of the runs on the same nodes. If
 * another run was slower, raises the times of the nodes that it used and the
 * fastest run did not.
 */
void fit_runs(
    struct cluster *, double item_bytes, const struct fit_run *, size_t runs);

#endif
