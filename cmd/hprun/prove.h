#ifndef HP_CMD_HPRUN_PROVE_H
#define HP_CMD_HPRUN_PROVE_H

/*
 * Proves that the result has exactly the records of the input, in order.  With
 * hosts or --keep, checksums of the records are computed three times: when the
 * records are dealt, when they are sent, and in the result.  The checksums do
 * not depend on the order of the records.  A difference shows that a file
 * changed in between, and on which node.
 *
 * If possible, the program that reads the records anyway computes the checksum:
 *   launcher  for a part that it sends as a stream or gets from a host
 *   hpsplit   when it divides the input by key
 *   exchange  for the extents of a sorted file
 * Otherwise hpcheck(1) computes the checksum in a step of its own.  With -u,
 * the steps that drop duplicates also compute the checksums of the dropped
 * records.  These are added to the checksums of the remaining records.
 *
 * Files of the launcher, where R is a rank:
 *   given.R               what node R was given; methods that sort last, and
 *                         the method range, have given.jsonl instead,
 *                         without --in-place
 *   sums.R                what node R sent to each node
 *   summary.R             what node R has at the end
 *   dropped-run.R         what -u removed from the run of node R
 *   dropped-out.R         what -u removed from the result of node R
 */

#include "run.h"

/*
 * Add the steps that compute the checksum of each node's part of the input when
 * the launcher deals it.  sum_dealt_to adds the step for one node.
 */
void sum_dealt(struct run *, struct stage *);
void sum_dealt_to(struct run *, struct stage *, size_t rank);
/*
 * With --in-place, adds a step that computes the checksum of the node's part of
 * the input, on the node.
 */
void sum_in_place_step(struct run *, struct stage *, size_t rank);
/*
 * Returns whether the exchange programs compute the checksums of this file
 * while they send it (--sums).  They do so for a sorted file.  A file of many
 * small extents needs a step of its own.
 */
bool sums_in_exchange(const char *file);
/*
 * Adds the options that write checksums to the file `sums` in a directory of
 * the node.  If `dir` is NULL, it is the program's current directory.
 */
void sums_words(const struct run *, struct words *, const char *dir);
/* Adds the action that fetches the file `sums` from the node. */
void sums_get(struct stage *, struct step *);
/*
 * Adds a step that computes one checksum of a file that the node sends, if the
 * exchange programs do not.
 */
void sum_sent_step(struct run *, struct stage *, size_t rank, const char *file);
/*
 * With -u, adds the action that fetches the checksum of the records that were
 * dropped when `file` was written (dropped_words).
 */
void dropped_get(struct run *, struct stage *, struct step *, const char *file);
/* Proves that each node sent exactly the records that it was given. */
int prove_sent(struct run *, const char *file, struct hp_err *);
/*
 * Adds a step that checks the order of a node's result and writes a summary
 * with its checksum.
 */
void prove_step(struct run *, struct stage *, size_t rank);
/*
 * Proves that the nodes' results have exactly the records that were sent, and
 * that the whole result is in order.  Writes proven.jsonl and `whole`.
 */
int prove_parts(struct run *, struct hp_err *);
/*
 * Writes the summaries of all nodes to proven.jsonl: `hprun --do proven
 * SUMMARY...`.
 */
int proven_do(char *words[], struct hp_err *);

#endif
