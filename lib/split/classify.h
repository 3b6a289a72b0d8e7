#ifndef HP_SPLIT_CLASSIFY_H
#define HP_SPLIT_CLASSIFY_H

/*
 * Finds the sublist of a record (the node that will receive it) by binary
 * search among the bounds between sublists. The search first compares the first
 * 8 bytes of the keys, without branches. If bounds have the same 8 bytes, the
 * search compares whole key, rank and index.
 */

#include "record/order.h"
#include "record/scan.h"
#include "split/pivot.h"

enum {
	CLASSIFY_MOST = 32
};

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
 * Prepares a classifier. Fails with HP_INPUT unless the ends of the sublists
 * ascend and the last sublist has no end. The sublists must outlive the
 * classifier.
 */
int classify_init(struct classifier *, const struct sublists *,
    const struct order *, uint64_t rank, struct hp_err *);
void classify_fini(struct classifier *);

/*
 * Returns true if the record sorts before the bound `until`. The record has
 * this key and is number `index` on its node.
 */
bool classify_before(const struct classifier *, const struct key *,
    uint64_t index, const struct pivot *until);

/*
 * Stores in `to` the numbers of the sublists to which n records belong, at most
 * CLASSIFY_MOST.  `index` has the number of each record on its node.  Several
 * records together take less time than one after the other.  Returns -1 if
 * memory is short.  O(n log(sublists)).
 */
int classify(struct classifier *, const struct span *record,
    const uint64_t *index, size_t n, size_t *to);

#endif
