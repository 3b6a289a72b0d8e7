#ifndef HP_SPLIT_CLASSIFY_H
#define HP_SPLIT_CLASSIFY_H

/*
 * Finds the sublist of a record by binary search among the bounds. The search
 * first compares 8-byte prefixes of the keys, without branches. Only bounds
 * with the same prefix as the record are then compared by whole key, rank and
 * index.
 */

#include "record/order.h"
#include "split/pivot.h"

struct classifier {
	const struct order *order;
	const struct sublist *bound; /* [n] the sublists that have an end */
	size_t n;
	uint64_t *prefix; /* [n] first 8 bytes of their keys */
	uint64_t rank;	  /* the node that has the records */
	bool together;	  /* -u: equal keys go to one sublist */
	struct keybuf buf;
};

/*
 * Prepares a classifier. The ends of the sublists must ascend, and the last
 * sublist must have no end: otherwise fails with HP_INPUT. The sublists must
 * outlive the classifier.
 */
int classify_init(struct classifier *, const struct sublists *,
    const struct order *, uint64_t rank, struct hp_err *);
void classify_fini(struct classifier *);

/*
 * Returns true if the record with this key, which has position `index` on its
 * node, sorts before the bound.
 */
bool classify_before(const struct classifier *, const struct key *,
    uint64_t index, const struct pivot *until);

/*
 * Returns the sublist of the record, or SIZE_MAX if memory is short. O(log n).
 */
size_t classify(struct classifier *, const unsigned char *record, size_t len,
    uint64_t index);

#endif
