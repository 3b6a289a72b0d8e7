#ifndef HP_SPLIT_PIVOT_H
#define HP_SPLIT_PIVOT_H

/*
 * Positions in the order of all records of all nodes. A position consists of
 * the normalized key, the node's rank and the index on that node. So no two
 * records share a position, and even an input with a single key can be divided
 * anywhere.
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
	 * the key contains text of the record, which the documents show as
	 * member `text`
	 */
	bool text;
};

/* Compares by key, then rank, then index. */
int pivot_cmp(const struct pivot *, const struct pivot *);

/* Copies a pivot with its key. Returns -1 if there is no memory. */
int pivot_copy(struct pivot *to, const struct pivot *from);
void pivot_fini(struct pivot *);

struct pivots {
	struct pivot *v;
	size_t n, cap;
};

/* Adds a pivot and takes ownership of its key, which is freed on failure. */
int pivots_add(struct pivots *, struct pivot, struct hp_err *);
/* Sorts a list. O(n log n). */
void pivots_sort(struct pivots *);
/* Removes duplicates from a sorted list. */
void pivots_unique(struct pivots *);
void pivots_fini(struct pivots *);

/* One end of a bracket: a position and the number of records before it. */
struct edge {
	bool bounded; /* false: the edge is the start or the end of the order */
	struct pivot at;
	uint64_t below; /* number of records before the position */
};

/* The range of positions that contains the end of a sublist. */
struct bracket {
	uint64_t target; /* low.below < target < high.below */
	struct edge low, high;
	uint64_t every; /* distance between candidates in records */
};

/*
 * A sublist: a range of the order that one node receives. It starts at the
 * `until` of the previous sublist and ends before its own `until`. If it has no
 * `until`, it contains all remaining records.
 */
struct sublist {
	bool assigned; /* rank and node are set */
	uint64_t rank;
	char *node; /* name of the node, or NULL */
	bool bounded;
	struct pivot until;
	/*
	 * The bracket in which to search for the end; NULL: the end is final.
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
 * Appends an empty sublist for the caller to fill in. Returns NULL if memory is
 * short.
 */
struct sublist *sublists_add(struct sublists *, struct hp_err *);
void sublists_fini(struct sublists *);

#endif
