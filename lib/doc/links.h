#ifndef HP_DOC_LINKS_H
#define HP_DOC_LINKS_H

/*
 * Reads and writes the member `link` of hp-cluster(5): the rates and the
 * latency of the link between a node and the network.
 */

#include "doc/lines.h"
#include "share/cluster.h"

/*
 * Reads the member `link` of the current line, if there is one. Fails with
 * HP_INPUT if it is not an object, or if a rate or the latency is out of range.
 */
int doc_link_read(const struct doc_in *, struct link *, struct hp_err *);

/*
 * Returns the member `link` as an object, in the form that doc_link_read reads.
 * Returns NULL if memory is short.
 */
json_t *doc_link_new(const struct link *);

/*
 * Copies the lines of the cluster, and adds what was measured: the links and
 * overheads of the n nodes, and of the launcher. `profile` is a file with the
 * measured points of the launcher, or NULL. A line keeps the members that it
 * has, and the launcher gets no points if it has a speed. If the cluster has no
 * line for the launcher, adds one.
 */
int doc_links_write(const char *cluster, const struct node *, size_t n,
    const struct launcher *, const char *profile, FILE *out, struct hp_err *);

/* Returns whether the line describes the launcher, not a node. */
bool doc_is_launcher(const struct doc_in *);

#endif
