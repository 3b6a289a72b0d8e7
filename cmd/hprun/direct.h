#ifndef HP_CMD_HPRUN_DIRECT_H
#define HP_CMD_HPRUN_DIRECT_H

/*
 * Merges without an exchange, when all nodes are processes of this machine.
 * Each node merges its sublist directly from the sorted files of all nodes.
 * `hpsplit cut` prints the extents of the sublists in each sorted file.
 */

#include "doc/extents.h"
#include "run.h"

struct node_runs {
	/* per node: extents of all sublists in its sorted file */
	struct extents *node;
	/* per node: offset of its part in the result, after the header */
	uint64_t *at;
	size_t n;
};

/*
 * Reads the extents documents of all nodes, extents.0, extents.1 and so on.
 * Does nothing for --dry-run.
 */
int direct_read(struct run *, struct node_runs *, struct hp_err *);
void direct_fini(struct node_runs *);
/*
 * Adds the inputs of the hpmerge command of node `rank`: an option --extent for
 * each sorted file, then the names of the sorted files.
 */
void direct_words(struct run *, struct stage *, const struct node_runs *,
    size_t rank, struct words *);

/*
 * Adds the options that make hpmerge write the part of node `rank` into the
 * result file, at its offset after the header.
 */
void direct_place(struct run *, struct stage *, const struct node_runs *,
    size_t rank, struct words *);

/*
 * Computes how many records and bytes node `rank` reads from all sorted files.
 */
void direct_received(
    const struct node_runs *, size_t rank, uint64_t *records, uint64_t *bytes);

/*
 * Prints the options that direct_words adds: `hprun --do extents RANK NODES`.
 */
int direct_do(char *words[], struct hp_err *);
/*
 * Prints the offset of a node's part in the result: `hprun --do offset RANK
 * NODES`.
 */
int offset_do(char *words[], struct hp_err *);

#endif
