#ifndef HP_GEN_GEN_H
#define HP_GEN_GEN_H

/*
 * Records of any format with keys of any distribution.
 *
 * The order of the keys is that of the values, and equal values have equal
 * keys.  A line is its value as 20 decimal digits and a few words that depend
 * on the value, so that sort and sort -n agree.  A key inside a record is
 * big-endian: a fraction in its first bytes, a number in its last.  The other
 * bytes of a record are its number, big-endian (the last bytes of it where
 * there is no room for 8), and random ones, so that records with equal keys
 * can be told apart.  An integer is scaled to its range; a float lies in
 * [-1, 1), or is the number itself.  Numbers beyond the range of the format
 * become its largest.
 */

#include <stddef.h>

#include "gen/dist.h"
#include "record/format.h"

struct gen {
	struct format format;
	struct dist dist;
	uint64_t next; /* number of the next record */
	size_t max;    /* bytes of the longest record, delimiter included */
};

struct gen_options {
	struct format format;
	const char *dist; /* as dist_parse takes it */
	uint64_t seed;
	uint64_t start; /* number of the first record */
	uint64_t total; /* of the data set */
};

/* HP_USAGE when the distribution is none. */
int gen_init(struct gen *, const struct gen_options *, struct hp_err *);

/* Writes the next record to out, of at least max bytes; returns its length. */
size_t gen_next(struct gen *, unsigned char *out);

#endif
