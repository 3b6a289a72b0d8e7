#ifndef HP_CMD_HPRUN_DIRECT_H
#define HP_CMD_HPRUN_DIRECT_H

/*
 * When all nodes are processes of this machine, no exchange is needed.  Each
 * node merges its sublist directly from the sorted runs of all nodes.  `hpsplit
 * cut` prints the extents of the sublists in each run.
 */

#include "doc/extents.h"
#include "run.h"

struct runs {
	struct extents *node; /* extents of each node's run, by sublist */
	uint64_t *at; /* offset of each node's part in the result's body */
	size_t n;
};

/* Reads the documents extents.N of all nodes.  Does nothing for --dry-run. */
int direct_read(struct run *, struct runs *, struct hp_err *);
void direct_fini(struct runs *);
/*
 * Adds the inputs of the node's hpmerge: the options --extent, then the runs.
 */
void direct_words(struct run *, struct stage *, const struct runs *,
    size_t rank, struct words *);

/*
 * Adds the options that make hpmerge write the node's part to its offset in the
 * result, behind the header.
 */
void direct_place(struct run *, struct stage *, const struct runs *,
    size_t rank, struct words *);

/* Computes how many records and bytes the node's inputs have together. */
void direct_received(
    const struct runs *, size_t rank, uint64_t *records, uint64_t *bytes);

/* `hprun --do extents RANK NODES` prints the options that direct_words adds. */
int direct_do(char *words[], struct hp_err *);
/*
 * `hprun --do offset RANK NODES` prints the offset of the node's part in the
 * result.
 */
int offset_do(char *words[], struct hp_err *);

#endif
