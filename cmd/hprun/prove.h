#ifndef HP_CMD_HPRUN_PROVE_H
#define HP_CMD_HPRUN_PROVE_H

/*
 * Proves that the result has exactly the records of the input, in order.  With
 * hosts or --keep, hpcheck(1) computes order-free checksums of the records
 * three times: when they are dealt, when they are sent, and in the result. What
 * reads the records anyway computes them if it can: the launcher, of a part
 * that it sends as a stream, and the exchange, of the extents of a run.  A
 * difference shows that a file changed in between, and on which node.  With -u,
 * the steps that drop duplicates compute checksums of these, which are added.
 *
 * Files of the launcher, where R is a rank:
 *   given.R               what node R was given; methods that sort last have
 *                         given.jsonl instead, without --in-place
 *   sums.R                what node R sent to each node
 *   summary.R             what node R has at the end
 *   dropped-run.R         what -u removed from the run of node R
 *   dropped-out.R         what -u removed from the result of node R
 */

#include "run.h"

/*
 * Adds a step that computes checksums of what the launcher deals to each node.
 * sum_dealt_to does so for one node.
 */
void sum_dealt(struct run *, struct stage *);
void sum_dealt_to(struct run *, struct stage *, size_t rank);
/*
 * With --in-place, adds a step on the node that computes the
 * checksum of its part.
 */
void sum_in_place_step(struct run *, struct stage *, size_t rank);
/*
 * Tells whether the programs of the exchange compute the checksums of a file
 * that they send (--sums).  They do so for `run`.  A cut has too many extents.
 */
bool sums_in_exchange(const char *file);
/*
 * Adds the options that write the file `sums` to a directory of the node; NULL:
 * the one in which the program runs.
 */
void sums_words(const struct run *, struct words *, const char *dir);
/* Adds the action that fetches the file `sums` of the node. */
void sums_get(struct stage *, struct step *);
/* Adds a step that computes one checksum of another file that the node sends.
 */
void sum_sent_step(struct run *, struct stage *, size_t rank, const char *file);
/*
 * With -u, adds the action that fetches the checksum of the records that the
 * writer of the file dropped (dropped_words).
 */
void dropped_get(struct run *, struct stage *, struct step *, const char *file);
/* Proves that each node sent exactly what it was given. */
int prove_sent(struct run *, const char *file, struct hp_err *);
/* Adds a step that checks the order of a node's result and summarizes it. */
void prove_step(struct run *, struct stage *, size_t rank);
/*
 * Proves that the parts have the records that were sent and that the whole
 * result is in order.  Writes proven.jsonl and `whole`.
 */
int prove_parts(struct run *, struct hp_err *);
/* `hprun --do proven SUMMARY...` writes the summaries to proven.jsonl. */
int proven_do(char *words[], struct hp_err *);

#endif
