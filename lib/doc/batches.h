#ifndef HP_DOC_BATCHES_H
#define HP_DOC_BATCHES_H

/*
 * Documents that hprun uses if the speed of nodes is unknown. They list the
 * batches of input that hprun gives to each node, and the speeds that hprun
 * measures meanwhile.
 */

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "doc/extents.h"

/*
 * A step of a batch: hprun sends the batch's records to a node, or the node
 * sorts them.
 */
struct batch_step {
	bool sends;
	uint64_t batch;	  /* number of the batch, from 0 */
	struct extent of; /* rank: the node; bytes of the input */
};

struct batch_steps {
	struct batch_step *v;
	size_t n, cap;
};

void batch_steps_fini(struct batch_steps *);
/*
 * Reads the file batches.jsonl. If the file does not exist, the list stays
 * empty.
 */
int doc_batches_read(const char *path, struct batch_steps *, struct hp_err *);
int doc_batch_write(FILE *, const struct batch_step *, struct hp_err *);

/*
 * Writes the lines of the file `cluster` again, each with a measured time in
 * place of the node's speed: the node of rank r takes seconds[r] for n items.
 */
int doc_speeds_write(const char *cluster, const double *seconds, size_t nodes,
    uint64_t n, FILE *, struct hp_err *);

#endif
