#ifndef HP_SPLIT_SAMPLE_H
#define HP_SPLIT_SAMPLE_H

/*
 * Samples of the records of one node. The sampled records are candidates for
 * pivots, the bounds between nodes. In a random sample all sets of `count`
 * records are equally likely, whatever their lengths.
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
 * Takes a sample of a sorted file at regular distances: the middle record of
 * each of `count` equal parts, or all n records if count is n or more. Fails
 * with HP_INPUT if the records of the sample are not in order.
 */
int sample_regular(const struct sampling *, const struct records *,
    uint64_t count, struct hp_err *);

/*
 * Takes the records number first, first + every, first + 2 every and so on, up
 * to end - 1.
 */
int sample_every(const struct sampling *, const struct records *,
    uint64_t first, uint64_t end, uint64_t every, struct hp_err *);

/*
 * Takes a sample of `count` random records, sorted by their positions. Reads
 * only the pages of the file that contain them. O(count log count).
 */
int sample_random(const struct sampling *, const struct records *,
    uint64_t count, struct hp_err *);

/*
 * Takes a sample of `count` random records from a stream of unknown length,
 * sorted by their positions. Reads the stream to its end. Keeps the keys of
 * `count` records in memory.
 */
int sample_stream(
    const struct sampling *, struct reader *, uint64_t count, struct hp_err *);

/*
 * Draws `count` different random numbers below n; count must be at most n.
 * Stores them in ascending order in out[].
 */
int sample_positions(uint64_t n, uint64_t count, uint64_t seed, uint64_t *out);

#endif
