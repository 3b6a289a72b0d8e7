#ifndef HP_DOC_NODES_H
#define HP_DOC_NODES_H

/*
 * hp-cluster(5) for hprun: reading a cluster from memory, and writing the
 * cluster of one run, in which every node has its work directory and port.
 */

#include <stdio.h>

#include "share/cluster.h"

/* The lines are text in memory, as doc_cluster_read takes them of a file. */
int doc_cluster_parse(const char *lines, struct cluster *, struct hp_err *);

/* Whether the text is a line of a node that takes part in the run. */
typedef bool doc_takes_part(const void *context, const char *name);

/* Copies the lines of the nodes that take part; `text` or else the file. */
int doc_nodes_copy(const char *path, const char *text, doc_takes_part *,
    const void *context, FILE *out, struct hp_err *);

/* What one run adds to the line of each node, by rank. */
struct run_place {
	const char *dir;  /* the node's work directory */
	const char *port; /* decimal digits; NULL or "": none */
};
/*
 * The lines of the file with these members.  here: the host of nodes that have
 * none; NULL or "": they stay without.
 */
int doc_nodes_place(const char *path, const struct run_place *, size_t n,
    const char *here, FILE *out, struct hp_err *);

#endif
