#ifndef HP_GEN_GENSORT_H
#define HP_GEN_GENSORT_H

/*
 * Generates the records of gensort, the generator of the Sort Benchmark (Nyberg
 * 2009), byte for byte: records of 100 bytes with a key of 10 bytes. They come
 * from a linear congruential generator modulo 2^128. Its state for any record
 * can be computed directly.
 */

#include <stdbool.h>

#include "base/err.h"

typedef unsigned __int128 gensort_number;

enum {
	GENSORT_SIZE = 100,
	GENSORT_KEY = 10,
	GENSORT_PIECES = 4096 /* pieces of 10 bytes in the buffer */
};

struct gensort {
	bool ascii, skewed;
	gensort_number number; /* number of the next record */
	gensort_number key;    /* generator state of its key */
	/* State of the random generator after the last piece in the buffer. */
	gensort_number last;
	size_t pos; /* where the next record begins in the buffer */
	unsigned char piece[GENSORT_PIECES * GENSORT_KEY];
	/*
	 * The first bytes of skewed keys. The index is the bit length of the
	 * record's number.
	 */
	unsigned char skew[129][6];
};

/*
 * Parses a decimal number below 2^128 with an optional unit k, M, G or T
 * (powers of 1000).
 */
int gensort_number_parse(
    const char *, gensort_number *, const char *what, struct hp_err *);

/* Prepares to write records, beginning with record number `first`. */
void
gensort_init(struct gensort *, gensort_number first, bool ascii, bool skewed);

/* Writes the next record of 100 bytes. This takes about 10 ns. */
void gensort_next(struct gensort *, unsigned char out[GENSORT_SIZE]);

#endif
