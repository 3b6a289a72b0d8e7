#ifndef HP_SHARE_LIMITS_H
#define HP_SHARE_LIMITS_H

/*
 * How many items a node, or the launcher, can process in one stage of a whole
 * run if the stage has a time limit.
 */

#include "share/stages.h"

/*
 * Returns the largest number of items with which a node finishes the stage
 * within the time T. For the exchange, returns at most half of all items: a
 * node with more than half keeps most items and sends few, so its time falls
 * again. Without an exchange (problem.by_key), returns all items. The search
 * begins at the guess `near`.
 */
uint64_t limits_node(const struct problem *, enum stages_kind, size_t rank,
    double T, uint64_t near);
/*
 * Returns the largest number of items, and of nodes on remote hosts, with which
 * the launcher finishes the stage within the time T. It then also finishes in
 * time with any smaller numbers.
 */
struct stages_load
limits_launcher(const struct problem *, enum stages_kind, double T);

#endif
