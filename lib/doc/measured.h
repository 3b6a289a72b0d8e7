#ifndef HP_DOC_MEASURED_H
#define HP_DOC_MEASURED_H

/*
 * What hpprofile(1) has measured, put into the lines of a cluster.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

/* What a step takes that does nothing, in seconds, by the node's name. */
struct node_start {
	const char *node;
	double seconds;
};

/*
 * Copies the lines of the cluster.  Those of nodes that the profiles tell of
 * get their points: of several measurements of one size the median, the least
 * and the most; `start` is added to each.
 *   nearer  only points far below the new ones stay (1.5 times fewer items, in
 *           less time): closer ones tell less of the curve than of chance.
 *           Otherwise the members of the profile replace those of the line.
 */
int doc_measured_write(const char *cluster, const char *const *profile,
    size_t nprofiles, const struct node_start *start, size_t nstarts,
    bool nearer, FILE *out, struct hp_err *);

/*
 * Of a plan: its makespan, and whether a share is larger than what was
 * measured of its node.
 */
int doc_foreseen_read(const char *plan, double *makespan, uint64_t *n,
    bool *beyond, struct hp_err *);

#endif
