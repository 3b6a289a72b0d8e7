#ifndef HP_SPLIT_EXACT_H
#define HP_SPLIT_EXACT_H

/*
 * Sublists that end exactly at their targets, found in rounds over sorted
 * inputs: histogram sort with sampling (Harsh, Kalé, Solomonik 2019), with
 * unequal targets.
 *
 * Each target has a bracket: the nearest positions on both sides for which the
 * number of records before is known. In each round the nodes propose candidates
 * inside the brackets, at regular distances, and count their records before all
 * candidates. Then each bracket shrinks around its target. When a bracket is
 * small, all its records are candidates, and the target is found.
 *
 * A round divides a bracket by about half the number of its candidates. This
 * holds for any distribution and any number of equal keys, since candidates are
 * spread over positions, not over keys.
 */

#include "split/sample.h"

/*
 * The number of candidates of a round, for all nodes and brackets together.
 * Each node looks up each candidate in its records, so a few small rounds take
 * less time than one large round.  Few records are all candidates.  Very many
 * records get large rounds, so that there are never more than five.
 */
#define EXACT_CANDIDATES 512
#define EXACT_MOST 4096 /* for more than EXACT_MANY records */
#define EXACT_MANY ((uint64_t)1 << 30)
#define EXACT_ALL 1024 /* so few records are all candidates */
#define EXACT_LEAST 64 /* minimum number of candidates per target */
/* records: how many the open brackets hold together. */
uint64_t exact_candidates(size_t sublists, uint64_t records);

/*
 * Call before the first round, with sublists that have no end yet. target[i] is
 * the number of the `total` records before the end of sublist i. `until` of the
 * sublists is left as it is.
 */
int exact_init(
    struct sublists *, const uint64_t *target, uint64_t total, struct hp_err *);

/*
 * Choose the candidates of one node from its sorted records. exact_begin is for
 * the first round and takes every `every`-th record. exact_sample is for later
 * rounds and takes candidates inside the open brackets.
 */
int64_t exact_refine(struct sublists *, const struct pivots *probe,
    const uint64_t *below, struct hp_err *);

/*
 * Chooses the candidates of one node from its sorted records. exact_begin is
 * for the first round and takes every `every`-th record. exact_sample is for
 * later rounds and takes those inside the open brackets.
 */
int exact_begin(const struct sampling *, const struct records *, uint64_t every,
    struct hp_err *);
int exact_sample(const struct sampling *, const struct records *,
    const struct sublists *, struct hp_err *);

/*
 * Returns the first of a node's records in the bracket that becomes a
 * candidate; the others follow in steps of bracket.every. Nodes start at
 * different records: on nodes with similar records, candidates at the same
 * positions would tell nothing new.
 */
uint64_t exact_phase(const struct bracket *, uint64_t rank);

#endif
