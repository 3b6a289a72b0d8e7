#ifndef HP_SHARE_STAGES_H
#define HP_SHARE_STAGES_H

/*
 * The time of a whole sort over a network, as stages with barriers. hp-plan(5)
 * describes the model under "The stages". Each stage ends when its last node
 * and the launcher have ended. The makespan is the sum of the stages.
 *
 * Every machine has one port in each direction: its link rate limits the sum of
 * what it sends, and the sum of what it receives. This is the one-port model of
 * divisible load theory (Robertazzi, "Ten reasons to use divisible load
 * theory", Computer 36(5), 2003; Drozdowski, "Scheduling for Parallel
 * Processing", Springer, 2009) with a barrier after each stage.
 *
 * Work on records that are being moved belongs to the stage that moves them: a
 * node begins to sort while its part arrives, and returns its part of the
 * result while it merges. The transfer and the work form a pipeline, so the
 * slower of the two determines the time. What remains of the sort after the
 * last record has arrived is the stage STAGES_SORT.
 *
 * If the launcher divides the items by key, a node returns its items when they
 * are sorted, without waiting for other nodes. So what remains of the sort is
 * part of STAGES_GATHER, and the stages from STAGES_SORT to STAGES_MERGE take
 * no time. If the nodes get the items in batches, they return items all the
 * time. All their work is then part of STAGES_SEND.
 */

#include "share/problem.h"

enum stages_kind {
	/*
	 * The launcher prepares, and logs in to all hosts at the same time. It
	 * may divide the items by key.
	 */
	STAGES_START,
	STAGES_SEND, /* the launcher sends every host its part */
	STAGES_SORT, /* each node sorts its part, once it has arrived */
	/*
	 * The launcher and the nodes exchange the documents of the rounds that
	 * find the pivots (rounds.h).
	 */
	STAGES_PIVOTS,
	/*
	 * Each node sends to every other node the items that the other node
	 * will merge.
	 */
	STAGES_EXCHANGE,
	/*
	 * Each node merges the items that it received. If a node returns its
	 * result while it merges, this work is part of STAGES_GATHER.
	 */
	STAGES_MERGE,
	/*
	 * Every other machine sends its part of the result to the launcher,
	 * which then finishes the run.
	 */
	STAGES_GATHER,
	STAGES
};

const char *stages_name(enum stages_kind);

/*
 * Returns whether the plan is for a whole run, with sending and merging. For
 * this, the size of an item and the rates of some link must be known. No node's
 * time may decrease when its items grow.
 */
bool stages_known(const struct problem *);

/*
 * Returns whether a run whose items are divided by key deals them in batches:
 * some node is on a host, the time that each node needs for batches is known,
 * and each can have any number of items.
 */
bool stages_batched(const struct cluster *);

/*
 * Prepares the cluster for plans of whole runs with items of this size: raises
 * each measured time that is below the time of fewer items to that time
 * (curve_lift). The start of a program varies, so the times of few items may
 * decrease. Does nothing if the size is 0 or if the cluster has no links.
 */
void stages_lift(struct cluster *, double item_bytes);

/*
 * What the launcher sends and receives: data of nodes on remote hosts. Nodes on
 * the launcher's own machine do not count.
 */
struct stages_load {
	uint64_t items; /* items on all hosts together */
	size_t nodes;	/* nodes on hosts that have at least one item */
};

/*
 * Returns the time in seconds of one node with n items in one stage. A node
 * without items takes no part. The time does not decrease as n grows, except in
 * the exchange: a node with more than half of all items needs less time for
 * more items.
 */
double
stages_node(const struct problem *, enum stages_kind, size_t rank, uint64_t n);

/*
 * Returns the time of the launcher in one stage. The launcher prepares the run,
 * sends the items, takes part in the search for the pivots, and collects the
 * results. In the other stages it does nothing, so its time is 0.
 */
double stages_launcher(
    const struct problem *, enum stages_kind, const struct stages_load *);

/*
 * Returns the link of a node. A node on the launcher's machine uses the
 * launcher's link, unless it has a link of its own.
 */
const struct link *stages_link(const struct cluster *, size_t rank);

/* Returns the launcher's load if the nodes have n[p] items. */
struct stages_load stages_load(const struct problem *, const uint64_t *n);

/*
 * Returns the time of a stage: the time of its slowest node, or of the launcher
 * if the launcher is slower.
 */
double stages_time(const struct problem *, enum stages_kind, const uint64_t *n);
/* Returns the makespan of a whole run: the sum of the times of its stages. */
double stages_makespan(const struct problem *, const uint64_t *n);
/* Returns the time in seconds for which a node works in all stages together. */
double stages_busy(const struct problem *, size_t rank, uint64_t n);

/*
 * Returns the time in which the launcher would sort all items alone. Returns
 * infinity if its speed is unknown, or if it cannot take all items.
 */
double stages_alone(const struct problem *);

#endif
