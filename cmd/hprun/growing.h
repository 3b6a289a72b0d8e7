#ifndef HP_CMD_HPRUN_GROWING_H
#define HP_CMD_HPRUN_GROWING_H

/*
 * The stage that deals batches.  It grows while it runs: when a step of a node
 * has ended, the node gets its next step.  When the whole input is dealt,
 * batches of slow nodes move to idle nodes (moving.h).
 *
 * A node of this machine, or any node with --shared, reads its batches from the
 * input or from the copy that is divided by key.  Other nodes receive each
 * batch from the launcher and then sort it.
 *
 * The file batches.jsonl has a line for each step, in the order of the steps'
 * indices.  A resumed run begins with these steps, so that the journal matches.
 *
 * A probe deals only the beginning of the input, and removes the sorted
 * batches.  It only measures the speeds of the nodes.
 */

#include "checktap.h"
#include "doc/parts.h"
#include "run.h"
#include "share/batches.h"

/* What a node does at the moment. */
struct worker {
	/* number of its running steps that sort a batch */
	size_t sorts;
	/* number of the batch that the last of these steps sorts; or NO_BATCH
	 */
	size_t sorting;
	/* number of the batch that the node sorts next; NO_BATCH: none */
	size_t queued;
	bool sent; /* the queued batch has arrived at the node */
	/* a batch that has returned, and whose input is still at the node */
	size_t spent;
};

#define NO_BATCH SIZE_MAX

struct growing {
	struct run *run;
	bool probe;
	struct parts units;
	size_t next;   /* index of the first unit that is not yet in a batch */
	uint64_t left; /* records in the units from `next` on */
	struct batches speeds;
	struct worker *worker; /* by rank */
	/* extents of all batches; the rank of each is the node that sorts it */
	struct extent *batch;
	enum batch_state *state; /* of each batch */
	/*
	 * Each sorted batch passes its tap on its way to its place in the
	 * result.  NULL: the nodes keep the batches that they have sorted.
	 */
	struct checktap *tap;
	/*
	 * With taps: checksums of the units, by the unit, and of the batches.
	 * The launcher has computed them when it divided the input by key.
	 */
	struct part_sums sums;
	struct summary *sent;
	size_t n, cap, state_cap, sent_cap;
	uint64_t bytes; /* of all units that were read */
	/*
	 * All batches with numbers below `done` have returned.  When another
	 * batch returns and `done` grows, the divided input is truncated at the
	 * offset of batch done - 1.
	 */
	size_t done;
	size_t *of; /* number of the batch of each step, by the step's index */
	size_t nof, of_cap;
	struct stage stage;
	FILE *log;
};

/*
 * Reads the units of the input.  Also reads the steps that an earlier hprun
 * process has recorded, if this run resumes.
 */
int growing_init(struct growing *, struct run *, bool probe, struct hp_err *);
/* Runs the stage until all batches are dealt and sorted. */
int growing_run(struct growing *, struct hp_err *);
/*
 * Writes deal.jsonl: the extents of all batches, each with the node that has
 * sorted it.
 */
int growing_write(const struct growing *, struct hp_err *);
/*
 * Returns an array with the seconds that each node would need for this number
 * of records, by the speeds measured so far.  After a probe, this is the time
 * to sort the records.  Otherwise it is the time of the work after the batches.
 * The caller frees the array.
 */
double *
growing_seconds(const struct growing *, uint64_t records, struct hp_err *);
void growing_fini(struct growing *);

#endif
