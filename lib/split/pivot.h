#ifndef HP_SPLIT_PIVOT_H
#define HP_SPLIT_PIVOT_H

/*
 * Places in the order of all records of all nodes: the normalized key, and
 * behind it the node and the position there, so that no two records share a
 * place and even an input of one single key can be divided anywhere.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "record/order.h"

struct pivot {
	unsigned char *key;
	size_t len;
	uint64_t rank, index;
};

/* By key, then rank, then index. */
int pivot_cmp(const struct pivot *, const struct pivot *);

/* A copy with a key of its own; -1 when there is no memory. */
int pivot_copy(struct pivot *to, const struct pivot *from);
void pivot_fini(struct pivot *);

struct pivots {
	struct pivot *v;
	size_t n, cap;
};

/* Takes the key over; frees it on failure. */
int pivots_add(struct pivots *, struct pivot, struct hp_err *);
/* O(n log n). */
void pivots_sort(struct pivots *);
/* Keeps one of those that are the same place, of a sorted list. */
void pivots_unique(struct pivots *);
void pivots_fini(struct pivots *);

/*
 * Where the end of a sublist is looked for: between two places of which the
 * number of records before is known.
 */
struct edge {
	bool bounded; /* or it is the beginning, or the end, of the order */
	struct pivot at;
	uint64_t below; /* records before */
};

struct bracket {
	uint64_t target; /* low.below < target < high.below */
	struct edge low, high;
	uint64_t every; /* one of so many records in it becomes a candidate */
};

/*
 * Who gets a part of the order: the records at or behind the until of the
 * sublist before and strictly before its own until.  Without an until all that
 * are left.
 */
struct sublist {
	bool assigned; /* rank and node are known */
	uint64_t rank;
	char *node; /* or NULL */
	bool bounded;
	struct pivot until;
	struct bracket *open; /* NULL: until is not looked for any more */
	bool placed;	      /* offset and records are known */
	uint64_t offset;      /* records before it in the result */
	uint64_t records;
};

struct sublists {
	struct sublist *v;
	size_t n, cap;
	uint64_t nodes; /* that they are for; 0: not known */
};

void bracket_free(struct bracket *);

/* Adds an empty one at the end, to be filled in; NULL without memory. */
struct sublist *sublists_add(struct sublists *, struct hp_err *);
void sublists_fini(struct sublists *);

#endif
