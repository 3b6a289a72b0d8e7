#ifndef HP_DOC_CLUSTER_H
#define HP_DOC_CLUSTER_H

/*
 * hp-cluster(5): one line a node, in the order of their ranks.
 */

#include "base/err.h"
#include "doc/lines.h"
#include "share/cluster.h"

/*
 * Reads a whole cluster; "-" is standard input.  Everything is checked: names
 * are there and differ, numbers are in range, points increase in n.  At least
 * one node.
 *
 * A line with the name of a node before it but with other params is not a node
 * but another section of what was measured on that one: see cluster_cut and
 * cluster_flat.
 */
int doc_cluster_read(const char *path, struct cluster *, struct hp_err *);
/* The line just read, as one more node of the cluster. */
int doc_node_read(const struct doc_in *, struct cluster *, struct hp_err *);
/* An array of points, checked, as those of the curve. */
int doc_points_read(
    const struct doc_in *, const json_t *, struct curve *, struct hp_err *);

#endif
