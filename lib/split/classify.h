#ifndef HP_SPLIT_CLASSIFY_H
#define HP_SPLIT_CLASSIFY_H

/*
 * To which sublist a record belongs: a binary search among the bounds, first
 * without branches on the keys' first 8 bytes, and only among the bounds that
 * share those with the record on whole keys, rank and index.
 */

#include "record/order.h"
#include "split/pivot.h"

struct classifier {
	const struct order *order;
	const struct sublist *bound; /* those that have an until */
	size_t n;
	uint64_t *prefix; /* of their keys */
	uint64_t rank;	  /* whose records are classified */
	bool together;	  /* -u: equal keys are not divided */
	struct keybuf buf;
};

/*
 * The bounds never fall, and the sublists without one come last: HP_INPUT
 * otherwise.  The sublists must outlive the classifier.
 */
int classify_init(struct classifier *, const struct sublists *,
    const struct order *, uint64_t rank, struct hp_err *);
void classify_fini(struct classifier *);

/*
 * Whether the record with this key at position index of the node lies before
 * the bound.
 */
bool classify_before(const struct classifier *, const struct key *,
    uint64_t index, const struct pivot *until);

/* The sublist of the record, or SIZE_MAX without memory.  O(log n). */
size_t classify(struct classifier *, const unsigned char *record, size_t len,
    uint64_t index);

#endif
