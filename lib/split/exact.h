#ifndef HP_SPLIT_EXACT_H
#define HP_SPLIT_EXACT_H

/*
 * Sublists that end exactly where they are asked to, by rounds over sorted
 * inputs: histogram sort with sampling (Harsh, Kalé, Solomonik 2019), with
 * sets of unequal targets.  A target has a bracket: the nearest places on both
 * sides of it of which the number of records before is known.  In each round
 * the nodes propose candidates inside the brackets, at regular distances, and
 * count the records before all candidates; then every bracket closes around its
 * target.  When it is small, all records in it are candidates, and the target
 * is hit.
 *
 * A round divides a bracket by about half the number of candidates in it, for
 * any distribution and any number of equal keys, since the candidates are
 * spread over places and not over keys.
 */

#include "split/sample.h"

/* Candidates of a round, all nodes and brackets together. */
#define EXACT_CANDIDATES 4096
#define EXACT_LEAST 64 /* for each target */
uint64_t exact_candidates(size_t sublists);

/*
 * Before the first round: the sublists are there, each is to end where target
 * says, of total records, and nothing is known.  until is left as it is.
 */
int exact_init(
    struct sublists *, const uint64_t *target, uint64_t total, struct hp_err *);

/*
 * probe: n different places of records, ascending; below[i] of all records lie
 * before probe i.  Narrows the brackets, ends sublists where they are hit, and
 * at the nearest known place where not yet.  Returns how many are still open,
 * or -1.  O(sublists log n).
 */
int64_t exact_refine(struct sublists *, const struct pivots *probe,
    const uint64_t *below, struct hp_err *);

/*
 * Candidates of one node's sorted records: before the first round one of
 * `every` of them, then those inside the open brackets.
 */
int exact_begin(const struct sampling *, const struct records *, uint64_t every,
    struct hp_err *);
int exact_sample(const struct sampling *, const struct records *,
    const struct sublists *, struct hp_err *);

/*
 * The first of a node's records in the bracket, counted from the first of them,
 * that becomes a candidate; the next ones follow in steps of bracket.every.
 * Nodes begin at different ones: where their records are alike, candidates at
 * the same positions would say the same.
 */
uint64_t exact_phase(const struct bracket *, uint64_t rank);

#endif
