#ifndef HP_DOC_LEARN_H
#define HP_DOC_LEARN_H

/*
 * Learns from finished runs: adds the times in hp-trace(5) to the points of the
 * nodes in hp-cluster(5).
 */

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

/*
 * Reads the traces and writes the cluster with new points. Each step named
 * `step` counts as one run of its node: a number of records and a time.
 * profile/history.h says how runs become points. The order of the traces has no
 * effect.
 *
 * The member `learned` keeps the latest runs and the original points, so that a
 * later call can continue. A run that is already there counts once. All other
 * members are copied unchanged.
 *
 * If `whole` is set, the node's latency_s and seconds_per_item are learned as
 * well, from the time that whole runs need beside this step (doc/whole.h).
 *
 * Fails with HP_INPUT if the traces have no such step of a node that took more
 * than 0 s, or with `whole`, no whole run.
 */
int doc_learn(const char *cluster, char *const traces[], size_t ntraces,
    const char *step, bool whole, FILE *out, struct hp_err *);

#endif
