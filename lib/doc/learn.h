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
 * Each step of that name becomes a run of its node: its records in its seconds.
 * Runs of sizes that differ by up to 5 %, or by up to half without one taking
 * three times the other's time for an item, as at a cliff, are one size, since
 * a run tells no more than that: two that follow each other closely would else
 * be a piece of the curve, and its slope what they happen to differ by.  Plans
 * go where such a slope promises most, so that it never evens out.  They are
 * merged with the nearest point that is as close, or are a new one: means of
 * size and time, weighted by the runs that each stands for.  A cliff goes up: a
 * single run that took less time than one of fewer items, or more than one of
 * more, is none, and is merged with the nearest point, too.  So the order of
 * the runs does not matter, nor as a rule whether they come in one trace or
 * several. All else in the lines of the cluster stays as it is.  HP_INPUT when
 * the traces have no such step of any node.
 *
 * With `whole` also what a node needs in whole runs beside that step, as its
 * latency_s and seconds_per_item (doc/whole.h); HP_INPUT when the traces do not
 * tell of any.
 */
int doc_learn(const char *cluster, char *const traces[], size_t ntraces,
    const char *step, bool whole, FILE *out, struct hp_err *);

#endif
