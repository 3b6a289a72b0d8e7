#ifndef HP_DOC_CLUSTER_H
#define HP_DOC_CLUSTER_H

/*
 * Reads hp-cluster(5): one line per node, in the order of the ranks, and at
 * most one line for the launcher.
 */

#include "base/err.h"
#include "doc/lines.h"
#include "share/cluster.h"

/*
 * Reads a whole cluster; "-" is standard input. Fails with HP_INPUT unless all
 * of it is valid: there is at least one node, names are present and unique,
 * numbers are in range, and the points increase in n.
 *
 * A second line for the same node must have other params. It adds a section to
 * the node's measurements; see cluster_cut and cluster_flat.
 */
int doc_cluster_read(const char *path, struct cluster *, struct hp_err *);
/*
 * Adds to the cluster the node or the launcher that the current line describes.
 */
int doc_node_read(const struct doc_in *, struct cluster *, struct hp_err *);
/* Reads an array of points, checks it and stores it in the curve. */
int doc_points_read(
    const struct doc_in *, const json_t *, struct curve *, struct hp_err *);

#endif
