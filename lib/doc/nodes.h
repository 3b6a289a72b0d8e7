#ifndef HP_DOC_NODES_H
#define HP_DOC_NODES_H

/*
 * Cluster documents for hprun. It reads the user's cluster from memory. For the
 * programs of a run it writes a cluster that also has the work directory and
 * the port of every node.
 */

#include <stdio.h>

#include "share/cluster.h"

/* Reads a cluster from text in memory, as doc_cluster_read does from a file. */
int doc_cluster_parse(const char *lines, struct cluster *, struct hp_err *);

/*
 * A callback that returns whether the node called `name` takes part in the run.
 */
typedef bool doc_takes_part(const void *context, const char *name);

/*
 * Copies the cluster lines of the nodes for which the callback returns true.
 * The lines come from `text`, or from the file `path` if text is NULL.
 */
int doc_nodes_copy(const char *path, const char *text, doc_takes_part *,
    const void *context, FILE *out, struct hp_err *);

/* The members that hprun adds to a node's cluster line for one run. */
struct run_place {
	const char *dir;  /* the node's work directory */
	const char *port; /* decimal digits; NULL or "": no port */
};
/*
 * Copies the lines of a cluster file. Adds to each node's line the directory
 * and the port from place[], which is indexed by rank. If `here` is neither
 * NULL nor "", it becomes the host of all nodes without a host.
 */
int doc_nodes_place(const char *path, const struct run_place *, size_t n,
    const char *here, FILE *out, struct hp_err *);

/*
 * Writes the names, hosts and directories of the nodes, but none of their
 * times.
 */
int doc_nodes_write(FILE *, const struct cluster *, struct hp_err *);

#endif
