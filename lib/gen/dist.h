#ifndef HP_GEN_DIST_H
#define HP_GEN_DIST_H

/*
 * The distributions on which parallel sorting is tried in the literature.
 * Each gives a value to every record number, whatever was asked for before, so
 * that parts made apart are parts of one data set.
 *
 *   uniform          every value as likely as any other
 *   lcg46            x' = 5^13 x mod 2^46, the generator of the NAS benchmarks
 *                    (Bailey et al. 1991) and of Cérin, Fkaier and Jemni
 *   gaussian         the mean of four uniform ones
 *   zipf[:S[,N]]     k of 1 to N in proportion to k^-S
 *   sorted, reverse  0, 1, 2, ... up to the format's largest; the other way
 *   few[:K], equal   K values, each as likely; one value
 *   bucket[:P]       the part of each of P nodes is sorted into P buckets
 *   staggered[:P]    all of a node's part belongs to one other node
 *   g-group[:P[,G]]  nodes in groups of G send to the same G nodes in turn
 *   dd               half of the n records log n, a quarter log n/2, ...
 *   rd[:P[,R]]       a node's part is R runs of equal values below R
 *   nearly[:K]       sorted, but for places less than K apart
 *
 * gaussian and those from bucket to rd are those of Helman, Bader and JáJá
 * 1998, section 4.1 ([G], [B], [S], [g-G], [DD], [RD]); of the two rules in
 * print for [S] the one that gives every node one bucket, as in the authors'
 * program.  A node's part is an equal share of the total, in the order of
 * records.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "gen/zipf.h"

enum dist_kind {
	DIST_BUCKET,
	DIST_DD,
	DIST_FEW,
	DIST_GAUSSIAN,
	DIST_GROUP,
	DIST_LCG46,
	DIST_NEARLY,
	DIST_RD,
	DIST_REVERSE,
	DIST_SORTED,
	DIST_STAGGERED,
	DIST_UNIFORM,
	DIST_ZIPF
};

/*
 * A number either as it is, or as a fraction of the range of the format, in
 * units of 2^-64.  A distribution yields only one of the two.
 */
struct value {
	uint64_t number;
	bool fraction;
};

struct dist {
	enum dist_kind kind;
	bool fraction; /* of its values */
	uint64_t seed;
	uint64_t total;	  /* records of the whole data set */
	uint64_t largest; /* number that the format can hold */
	uint64_t distinct, nodes, group, range, apart;
	double exponent;
	uint64_t ranks;
	struct zipf zipf;
	uint64_t state, state_of; /* of lcg46, and the record it is for */
};

/* HP_USAGE when there is no such distribution or parameter. */
int dist_parse(const char *, struct dist *, struct hp_err *);

/*
 * After dist_parse.  total matters to those with P and to dd, largest to
 * reverse and zipf.
 */
void dist_start(struct dist *, uint64_t seed, uint64_t total, uint64_t largest);

/* The value of a record: O(1); O(log record) for lcg46 out of turn, O(R) for
 * rd. */
struct value dist_value(struct dist *, uint64_t record);

#endif
