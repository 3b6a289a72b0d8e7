#ifndef HP_SPLIT_SAMPLE_H
#define HP_SPLIT_SAMPLE_H

/*
 * Samples of one node's records: the candidates for pivots, each with its key
 * and position. In a random sample all sets of `count` records are equally
 * likely, whatever the lengths of the records.
 */

#include "record/order.h"
#include "record/stream.h"
#include "split/pivot.h"
#include "split/records.h"

struct sampling {
	const struct order *order;
	uint64_t rank;	      /* the node that has the records */
	uint64_t seed;	      /* each rank draws different numbers from it */
	struct pivots *found; /* the candidates are added here */
};

/*
 * Samples a sorted file at regular distances: the middle record of each of
 * `count` equal parts, or all n records if count is n or more. Fails with
 * HP_INPUT if the sampled records are not in order.
 */
int sample_regular(const struct sampling *, const struct records *,
    uint64_t count, struct hp_err *);

/* Samples the records with the numbers first, first + every, ... up to end. */
int sample_every(const struct sampling *, const struct records *,
    uint64_t first, uint64_t end, uint64_t every, struct hp_err *);

/*
 * Samples `count` random records, in order of position. Reads only the pages
 * that it needs. O(count log count).
 */
int sample_random(const struct sampling *, const struct records *,
    uint64_t count, struct hp_err *);

/*
 * Samples `count` random records from a stream of unknown length, in order of
 * position. Reads the stream to its end and keeps the keys of `count` records
 * in memory.
 */
int sample_stream(
    const struct sampling *, struct reader *, uint64_t count, struct hp_err *);

/*
 * Draws `count` different random positions below n and stores them in ascending
 * order in the caller's array; count <= n.
 */
int sample_positions(uint64_t n, uint64_t count, uint64_t seed, uint64_t *out);

#endif
