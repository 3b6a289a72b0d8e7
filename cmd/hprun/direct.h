#ifndef HP_CMD_HPRUN_DIRECT_H
#define HP_CMD_HPRUN_DIRECT_H

/*
 * Where all nodes are processes of this machine, no exchange is needed: each
 * node merges its sublist out of the sorted runs of all nodes.  The extents
 * that hpsplit cut prints tell where the sublists lie in the runs.
 */

#include "doc/extents.h"
#include "run.h"

struct runs {
	struct extents *node; /* of each node's run, by sublist */
	size_t n;
};

/* Reads the documents extents.N of all nodes; nothing for --dry-run. */
int direct_read(struct run *, struct runs *, struct hp_err *);
void direct_fini(struct runs *);
/* The inputs of the node's hpmerge: an extent of each run, and the runs. */
void direct_words(struct run *, struct stage *, const struct runs *,
    size_t rank, struct words *);

/* What a node merged. */
void direct_received(
    const struct runs *, size_t rank, uint64_t *records, uint64_t *bytes);

/* extents RANK NODES, of --do: prints the options of direct_words. */
int direct_do(char *words[], struct hp_err *);

#endif
