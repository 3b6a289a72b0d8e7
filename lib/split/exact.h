#ifndef HP_SPLIT_EXACT_H
#define HP_SPLIT_EXACT_H

/*
 * Finds the ends of sublists exactly at their targets, in rounds over sorted
 * inputs: histogram sort with sampling (Harsh, Kalé, Solomonik 2019), with
 * unequal targets.
 *
 * Each target has a bracket: the nearest positions on both sides for which the
 * number of records before is known. In each round the nodes propose candidates
 * inside the brackets, at regular distances, and count their records before all
 * candidates. Then each bracket shrinks around its target. When a bracket is
 * small, all its records are candidates, and the target is found.
 *
 * If a bracket has c candidates, a round reduces the bracket to about 2/c of
 * its size. This holds for any distribution and any number of equal keys, since
 * candidates are spread over positions, not over keys.
 */

#include "split/sample.h"

/*
 * Prepares the search for the ends of sublists. target[i] is how many of the
 * `total` records on all nodes should lie before the end of sublist i. Does not
 * change the member `until` of the sublists. Call this function before the
 * first round.
 */
int exact_init(
    struct sublists *, const uint64_t *target, uint64_t total, struct hp_err *);

/*
 * Evaluates a round. The n candidates in `probe` are sorted. below[i] is how
 * many records on all nodes lie before candidate i. Narrows each bracket around
 * its target. If the exact end of a sublist is found, the sublist ends there.
 * Otherwise it ends at the nearest candidate known. Returns how many ends are
 * still to be found, or -1. O(sublists log n).
 */
int64_t exact_refine(struct sublists *, const struct pivots *probe,
    const uint64_t *below, struct hp_err *);

/*
 * Choose candidates among the sorted records of one node. exact_begin is for
 * the first round and takes one of every `every` records. exact_sample is for
 * later rounds and takes records inside the brackets, the ranges that are still
 * to be searched.
 */
int exact_begin(const struct sampling *, const struct records *, uint64_t every,
    struct hp_err *);
int exact_sample(const struct sampling *, const struct records *,
    const struct sublists *, struct hp_err *);

/*
 * Returns the position in the bracket of a node's first candidate, counted from
 * the start of the bracket. From there on, one of each bracket.every records is
 * a candidate. The position differs between nodes. Otherwise nodes with similar
 * records would all propose nearly the same candidates.
 */
uint64_t exact_phase(const struct bracket *, uint64_t rank);

#endif
