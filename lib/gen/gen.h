#ifndef HP_GEN_GEN_H
#define HP_GEN_GEN_H

/*
 * Generates records of any format with keys of any distribution.
 *
 * Keys sort like their values, and equal values give equal keys. A line is its
 * value in 20 decimal digits, followed by words that depend on the value, so
 * that sort and sort -n agree. A key in a record is big-endian: a fraction
 * fills the first bytes, a number the last ones. The rest of a record
 * identifies it, so that records with equal keys can be told apart: the record
 * number, big-endian (its last bytes if there is no space for 8), and random
 * bytes. An integer is scaled to its type's range. A float lies in [-1, 1) or
 * is the number itself. Numbers that exceed the format become its largest.
 */

#include <stddef.h>

#include "gen/dist.h"
#include "record/format.h"

struct gen {
	struct format format;
	struct dist dist;
	uint64_t next; /* number of the next record */
	size_t max;    /* bytes of the longest record, with delimiter */
};

struct gen_options {
	struct format format;
	const char *dist; /* argument for dist_parse */
	uint64_t seed;
	uint64_t start; /* number of the first record */
	/*
	 * number of records in the whole data set, of which this may be a part
	 */
	uint64_t total;
};

/*
 * Prepares a generator of records. Fails with HP_USAGE if the distribution is
 * unknown.
 */
int gen_init(struct gen *, const struct gen_options *, struct hp_err *);

/*
 * Writes the next record to out, which must have room for `max` bytes. Returns
 * the length of the record.
 */
size_t gen_next(struct gen *, unsigned char *out);

#endif
