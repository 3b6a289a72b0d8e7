#ifndef HP_GEN_DIST_H
#define HP_GEN_DIST_H

/*
 * Distributions of keys that the literature uses to test parallel sorting. Each
 * maps a record number to a value, independent of other records. So parts of a
 * data set can be generated separately.
 *
 *   uniform          all values equally likely
 *   lcg46            x' = 5^13 x mod 2^46, the generator of the NAS benchmarks
 *                    (Bailey et al. 1991) and of Cérin, Fkaier and Jemni
 *   gaussian         the mean of four uniform values
 *   zipf[:S[,N]]     k from 1 to N with probability proportional to k^-S
 *   sorted, reverse  0, 1, 2, ... up to the format's largest; and backwards
 *   few[:K], equal   K equally likely values; one value
 *   bucket[:P]       each node's part is sorted into P buckets
 *   staggered[:P]    all of a node's part belongs to one other node
 *   g-group[:P[,G]]  nodes in groups of G send to the same G nodes in turn
 *   dd               half of the n records log n, a quarter log n/2, ...
 *   rd[:P[,R]]       a node's part is R runs of equal values below R
 *   nearly[:K]       sorted, with records moved by less than K positions
 *
 * gaussian and bucket to rd are those of Helman, Bader and JáJá 1998, section
 * 4.1 ([G], [B], [S], [g-G], [DD], [RD]). Two rules were published for [S];
 * this is the one that gives every node one bucket, as in the authors' program.
 * A node's part is an equal share of all records, in record order.
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
 * A value from a distribution. If `fraction` is false, `number` is the value.
 * If it is true, the value is number / 2^64 of the largest number that the
 * record format can hold.
 */
struct value {
	uint64_t number;
	bool fraction;
};

struct dist {
	enum dist_kind kind;
	bool fraction; /* the values are fractions (struct value) */
	uint64_t seed;
	uint64_t total;	  /* records of the whole data set */
	uint64_t largest; /* largest number that the format can hold */
	uint64_t distinct, nodes, group, range, apart;
	double exponent;
	uint64_t ranks;
	struct zipf zipf;
	/*
	 * `state` is the state of the generator lcg46 that gives the value of
	 * record number `state_of`
	 */
	uint64_t state, state_of;
};

/* Parses a distribution and its parameters. Fails with HP_USAGE. */
int dist_parse(const char *, struct dist *, struct hp_err *);

/*
 * Prepares a distribution after dist_parse. `total` is the number of records of
 * the data set. It matters only for the distribution dd and for those with the
 * parameter P (number of nodes). `largest` is the largest number that the
 * format can hold. It matters only for reverse and zipf.
 */
void dist_start(struct dist *, uint64_t seed, uint64_t total, uint64_t largest);

/*
 * Returns the value of a record. O(1), with two exceptions: lcg46 takes O(log
 * record) if the records do not come in order, and rd takes O(R) for R ranges.
 */
struct value dist_value(struct dist *, uint64_t record);

#endif
