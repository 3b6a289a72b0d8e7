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
 * less time than one large round. If there are only EXACT_ALL records, each of
 * them is a candidate. Very many records get large rounds, so that there are
 * never more than five.
 */
#define EXACT_CANDIDATES 512
#define EXACT_MOST 4096 /* for more than EXACT_MANY records */
#define EXACT_MANY ((uint64_t)1 << 30)
#define EXACT_ALL 1024 /* so few records are all candidates */
#define EXACT_LEAST 64 /* minimum number of candidates per target */
/*
 * Returns the number of candidates of the next round. records: the number of
 * records in all open brackets.
 */
uint64_t exact_candidates(size_t sublists, uint64_t records);

/*
 * Starts the search. Call this before the first round, with sublists that have
 * no end yet. target[i] is the number of the `total` records before the end of
 * sublist i. The member `until` of the sublists is not changed.
 */
int exact_init(
    struct sublists *, const uint64_t *target, uint64_t total, struct hp_err *);

/*
 * Evaluates a round. probe holds n different positions in ascending order.
 * below[i] is the number of records of all nodes before probe i. Narrows the
 * brackets. Sublists end at their target if it was found, otherwise at the
 * nearest known position. Returns the number of open brackets, or -1.
 * O(sublists log n).
 */
int64_t exact_refine(struct sublists *, const struct pivots *probe,
    const uint64_t *below, struct hp_err *);

/*
 * Choose the candidates of one node from its sorted records. exact_begin is for
 * the first round and takes every `every`-th record. exact_sample is for later
 * rounds and takes candidates inside the open brackets.
 */
int exact_begin(const struct sampling *, const struct records *, uint64_t every,
    struct hp_err *);
int exact_sample(const struct sampling *, const struct records *,
    const struct sublists *, struct hp_err *);

/*
 * Returns which of a node's records in the bracket is the first candidate. The
 * others follow in steps of bracket.every. Each node starts at a different
 * record: on nodes with similar records, candidates at the same positions would
 * tell nothing new.
 */
uint64_t exact_phase(const struct bracket *, uint64_t rank);

#endif
