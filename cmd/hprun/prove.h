#ifndef HP_CMD_HPRUN_PROVE_H
#define HP_CMD_HPRUN_PROVE_H

/*
 * The proof: the result has the records of the input, in order.  Where there
 * are hosts, or files are kept, each record is counted in the order-free
 * checksum of hpcheck(1) when it is dealt, when it is sent to its node, and
 * when the result is read.  So a file that changed in between is found, and
 * whose it is.  With -u the steps that leave out records sum these up, and
 * their sums are added to those of the records that stay.
 *
 * Files of the launcher: given.R, given.jsonl (what each node was given),
 * sums.R (what node R sent to each node), summary.R (what it has at the end),
 * dropped-run.R and dropped-out.R (what -u left out of its run and result).
 */

#include "run.h"

/* Adds the steps that sum up what the launcher deals to the nodes. */
void sum_dealt(struct run *, struct stage *);
/* The same where the node has it. */
void sum_in_place_step(struct run *, struct stage *, size_t rank);
/* What of the run or of the cut file is for each node. */
void sum_sent_step(struct run *, struct stage *, size_t rank, const char *file);
/*
 * With -u, the option by which the command that makes the file ("run", "out")
 * sums up what it leaves out; and the action, behind it, that fetches the sum.
 */
void dropped_words(struct run *, const char *file, struct words *);
void dropped_get(struct run *, struct stage *, struct step *, const char *file);
/* What was sent is what its node had been given. */
int prove_sent(struct run *, const char *file, struct hp_err *);
/* The step that sums up a node's part of the result, and judges its order. */
void prove_step(struct run *, struct stage *, size_t rank);
/*
 * The parts of the result, in order, are what was sent there, and as a whole
 * in order; proven.jsonl and whole tell of them.
 */
int prove_parts(struct run *, struct hp_err *);
/* --do proven SUMMARY...: joins them as proven.jsonl. */
int proven_do(char *words[], struct hp_err *);

#endif
