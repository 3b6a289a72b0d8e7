#ifndef HP_SHARE_ROUNDS_H
#define HP_SHARE_ROUNDS_H

/*
 * How many rounds the method exact needs to find its pivots, and how large the
 * documents of these rounds are. split/exact.h describes the search itself.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The number of candidates in a round, for all nodes and targets together. Each
 * node searches for each candidate in its records, so a few small rounds take
 * less time than one large round. If at most ROUNDS_ALL records are left, all
 * of them are candidates. For very many records the rounds are larger, so that
 * there are usually at most five rounds.
 */
#define ROUNDS_CANDIDATES 512
#define ROUNDS_MOST_CANDIDATES 4096 /* for more than ROUNDS_MANY records */
#define ROUNDS_MANY ((uint64_t)1 << 30)
#define ROUNDS_ALL 1024 /* so few records are all candidates */
#define ROUNDS_LEAST 64 /* minimum number of candidates per target */

/*
 * Returns how many candidates the next round should have. A candidate is a
 * record for which all nodes count the records before it. `records` is the
 * number of records that are still to be searched.
 */
uint64_t rounds_candidates(size_t sublists, uint64_t records);
/*
 * Returns the largest total number of records for which the search for pivots
 * ends in the first round, because all records are candidates.
 */
uint64_t rounds_whole(size_t sublists);

enum {
	ROUNDS_MOST = 10, /* of an estimate */
	/*
	 * A search has failed after so many rounds.  Each round reduces the
	 * brackets to about a 32nd of their size.  Even with halves, 2^53
	 * records would need fewer rounds.
	 */
	ROUNDS_LIMIT = 64,
	/*
	 * Lengths in bytes of lines of the documents that the programs
	 * exchange.
	 */
	ROUNDS_SHARE_LINE = 130,
	ROUNDS_COUNT_LINE = 53,
	/* a candidate or sublist, without its key */
	ROUNDS_KEYLESS_LINE = 72
};

/*
 * What a step that all nodes run transfers: the bytes of the documents to and
 * from the nodes, and the number of candidates in them.
 */
struct round_step {
	double to_node; /* document that every node gets */
	/* bytes of the answer of each node that do not depend on its records */
	double from_node;
	/*
	 * Further bytes in the answers of all nodes together, which depend on
	 * the nodes' records. Each node's part is in proportion to its number
	 * of records.
	 */
	double from_all;
	/* candidates for which every node counts its records */
	double candidates;
};

/* The rounds of a sort: each has a step `sample` and a step `count`. */
struct rounds {
	size_t n;
	/*
	 * The first round compares all records, so there are no `count` steps.
	 */
	bool whole;
	struct round_step sample[ROUNDS_MOST], count[ROUNDS_MOST];
	struct round_step cut; /* the step in which the nodes get the pivots */
};

/*
 * Estimates how many rounds a distributed sort needs to find its pivots, and
 * the sizes of the documents exchanged in them. A key is assumed to be as long
 * as an item.
 */
void
rounds_of(size_t nodes, uint64_t items, double item_bytes, struct rounds *);

/*
 * Adds up the sizes and candidates of all steps of the search for the pivots.
 * Returns the number of steps.
 */
size_t rounds_sum(const struct rounds *, struct round_step *sum);

#endif
