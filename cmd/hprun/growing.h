#ifndef HP_CMD_HPRUN_GROWING_H
#define HP_CMD_HPRUN_GROWING_H

/*
 * The stage that deals batches.  It grows: when a step of a node has ended, the
 * node gets its next one.  A node of this machine, or with --shared, reads its
 * batches from the input; a host is sent each batch before it sorts it.
 *
 * The file batches.jsonl has a line for each step, in the order of the steps'
 * indices.  A resumed run begins with these steps, so that the journal matches.
 *
 * A probe deals only the beginning of the input, and drops what is sorted: it
 * tells the speeds of the nodes.
 */

#include "doc/parts.h"
#include "run.h"
#include "share/batches.h"

struct worker;

struct growing {
	struct run *run;
	bool probe;
	struct parts units;
	size_t next;   /* first unit that is in no batch */
	uint64_t left; /* records from there on */
	struct batches speeds;
	struct worker *worker; /* by rank */
	/* The batches; rank is the node that sorts it. */
	struct extent *batch;
	size_t n, cap;
	size_t *of; /* batch of each step, by index */
	size_t nof, of_cap;
	struct stage stage;
	FILE *log;
};

/* Reads the units and the steps of an earlier process. */
int growing_init(struct growing *, struct run *, bool probe, struct hp_err *);
/* Deals and sorts all batches. */
int growing_run(struct growing *, struct hp_err *);
/*
 * Returns the seconds in which each node would sort so many records, by rank.
 * The caller frees them.
 */
double *
growing_seconds(const struct growing *, uint64_t records, struct hp_err *);
void growing_fini(struct growing *);

#endif
