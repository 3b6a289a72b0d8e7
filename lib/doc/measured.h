#ifndef HP_DOC_MEASURED_H
#define HP_DOC_MEASURED_H

/* Adds points that hpprofile(1) has measured to the lines of a cluster. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

/* The time in seconds that a step without work takes on a node. */
struct node_start {
	const char *node;
	double seconds;
};

/*
 * Copies the lines of the cluster and gives the profiled nodes their points.
 * Several measurements of one size become one point with the median, least and
 * greatest time. `start` is added to each time.
 *   nearer  true: keeps the other members of the line, and also those old
 *           points that are far below the first new point: less than 2/3 of
 *           its items, in less time. The times of points that are closer
 *           together differ mostly by noise.
 *           false: drops all old points. The profile's members replace those
 *           of the line.
 */
int doc_measured_write(const char *cluster, const char *const *profile,
    size_t nprofiles, const struct node_start *start, size_t nstarts,
    bool nearer, FILE *out, struct hp_err *);

/*
 * Reads from a plan its makespan, its number of items, and whether a share
 * exceeds the sizes measured on its node.
 */
int doc_foreseen_read(const char *plan, double *makespan, uint64_t *n,
    bool *beyond, struct hp_err *);

#endif
