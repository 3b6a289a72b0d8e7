#ifndef HP_SPLIT_PIVOT_H
#define HP_SPLIT_PIVOT_H

/*
 * Positions in the order of all records of all nodes. A position consists of a
 * key, the rank of a node and the index of a record on that node. So no two
 * records have the same position, and the records can be divided anywhere, even
 * if all keys are equal.
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
	/*
	 * true: the key contains text of the record. Documents also show this
	 * text as the member `text`.
	 */
	bool text;
};

/* Compares by key, then rank, then index. */
int pivot_cmp(const struct pivot *, const struct pivot *);

/* Copies a pivot and its key. Returns -1 if memory is full. */
int pivot_copy(struct pivot *to, const struct pivot *from);
void pivot_fini(struct pivot *);

struct pivots {
	struct pivot *v;
	size_t n, cap;
};

/*
 * Adds a pivot to the list, which then owns the pivot's key. On failure, the
 * key is freed.
 */
int pivots_add(struct pivots *, struct pivot, struct hp_err *);
/*
 * Adds a pivot with a copy of this key. The other members are those of `place`.
 */
int pivots_add_key(struct pivots *, const struct key *,
    const struct pivot *place, struct hp_err *);
/* Sorts a list. O(n log n). */
void pivots_sort(struct pivots *);
/* Removes duplicates from a sorted list. */
void pivots_unique(struct pivots *);
void pivots_fini(struct pivots *);

/*
 * One end of a bracket (a range of records to search): a position, and how many
 * records of all nodes lie before it.
 */
struct edge {
	/*
	 * false: no position is known; this end of the bracket is the start or
	 * the end of all records, and `at` is unused
	 */
	bool bounded;
	struct pivot at;
	uint64_t below; /* number of records before the position */
};

/* The range of positions in which the end of a sublist is searched. */
struct bracket {
	uint64_t target; /* low.below < target < high.below */
	struct edge low, high;
	uint64_t every; /* distance between candidates in records */
};

/*
 * A sublist: a range of the sorted order, which one node receives. The range
 * begins where the previous sublist ends, and ends before the position `until`.
 * If `bounded` is false, the range extends to the end of all records.
 */
struct sublist {
	bool assigned; /* rank and node are set */
	uint64_t rank;
	char *node; /* name of the node, or NULL */
	bool bounded;
	struct pivot until;
	/*
	 * The range (bracket) in which the end of the sublist is searched.
	 * NULL: the end is final.
	 */
	struct bracket *open;
	bool placed;	 /* offset and records are set */
	uint64_t offset; /* records before the sublist in the result */
	uint64_t records;
};

struct sublists {
	struct sublist *v;
	size_t n, cap;
	uint64_t nodes; /* number of nodes; 0: unknown */
};

void bracket_free(struct bracket *);

/*
 * Appends an empty sublist, which the caller fills. Returns NULL if memory is
 * short.
 */
struct sublist *sublists_add(struct sublists *, struct hp_err *);
void sublists_fini(struct sublists *);

#endif
