#ifndef HP_DOC_LEARN_H
#define HP_DOC_LEARN_H

/*
 * Folds finished runs, as hp-trace(5) tells of them, into the points of the
 * nodes of an hp-cluster(5).
 */

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

/*
 * Each step of that name is a run of its node: its records in its seconds.  The
 * runs become the points of the node, as profile/history.h tells.  The member
 * `learned` keeps the latest runs and the points that were measured, so that
 * the result can be learned further, and a run that is known counts once.  The
 * order of the traces does not matter.  All else in the lines of the cluster
 * stays as it is.  HP_INPUT when the traces have no such step of any node that
 * took more than 0 s.
 *
 * With `whole` also what a node needs in whole runs beside that step, as its
 * latency_s and seconds_per_item (doc/whole.h); HP_INPUT when the traces do not
 * tell of any.
 */
int doc_learn(const char *cluster, char *const traces[], size_t ntraces,
    const char *step, bool whole, FILE *out, struct hp_err *);

#endif
