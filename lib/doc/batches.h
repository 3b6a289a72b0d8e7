#ifndef HP_DOC_BATCHES_H
#define HP_DOC_BATCHES_H

/*
 * The batches that hprun deals to nodes of unknown speed, and what it learns of
 * the nodes.
 */

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "doc/extents.h"

/* A step of a batch: its records are sent to the node, or sorted there. */
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
/* Reads batches.jsonl.  A missing file has no steps. */
int doc_batches_read(const char *path, struct batch_steps *, struct hp_err *);
int doc_batch_write(FILE *, const struct batch_step *, struct hp_err *);

/*
 * Copies the lines of the cluster.  The node of each rank gets a single point:
 * it needs seconds[rank] for n items.
 */
int doc_speeds_write(const char *cluster, const double *seconds, size_t nodes,
    uint64_t n, FILE *, struct hp_err *);

#endif
