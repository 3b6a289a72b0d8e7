#ifndef HP_SPLIT_SAMPLE_H
#define HP_SPLIT_SAMPLE_H

/*
 * Candidates for pivots: some records of one node's file, each with its key
 * and position.  At random, every set of `count` records is as likely as any
 * other, whatever the records' lengths.
 */

#include "record/order.h"
#include "record/stream.h"
#include "split/pivot.h"
#include "split/records.h"

struct sampling {
	const struct order *order;
	uint64_t rank; /* of the node whose records they are */
	uint64_t seed; /* nodes of different ranks draw different numbers */
	struct pivots *found; /* where the candidates are added */
};

/*
 * At regular ranks of a sorted file: the middles of count equal parts; all
 * records when count is n or more.  HP_INPUT when those are not in order.
 */
int sample_regular(const struct sampling *, const struct records *,
    uint64_t count, struct hp_err *);

/* Records first, first + every, ... before end. */
int sample_every(const struct sampling *, const struct records *,
    uint64_t first, uint64_t end, uint64_t every, struct hp_err *);

/*
 * At random, in order of position.  Reads only the pages that it needs.
 * O(count log count).
 */
int sample_random(const struct sampling *, const struct records *,
    uint64_t count, struct hp_err *);

/*
 * At random from a stream of unknown length, which is read to its end, in order
 * of position.  The keys of count records are held.
 */
int sample_stream(
    const struct sampling *, struct reader *, uint64_t count, struct hp_err *);

/* Distinct positions below n, ascending; count <= n.  Caller's storage. */
int sample_positions(uint64_t n, uint64_t count, uint64_t seed, uint64_t *out);

#endif
