#ifndef HP_GEN_GENSORT_H
#define HP_GEN_GENSORT_H

/*
 * The records of gensort, the generator of the Sort Benchmark (Nyberg 2009),
 * byte for byte: 100 bytes with a key of 10, made from a linear congruential
 * generator modulo 2^128, so that any record can be had without those before.
 */

#include <stdbool.h>

#include "base/err.h"

typedef unsigned __int128 gensort_number;

enum {
	GENSORT_SIZE = 100,
	GENSORT_KEY = 10,
	GENSORT_PIECES = 4096 /* of 10 bytes, kept at a time */
};

struct gensort {
	bool ascii, skewed;
	gensort_number number; /* of the next record */
	gensort_number key;    /* the generator's number that its key is from */
	gensort_number last;   /* the one that its last piece is from */
	size_t pos;	       /* of the next record's pieces */
	unsigned char piece[GENSORT_PIECES * GENSORT_KEY];
	unsigned char skew[129][6]; /* first bytes of a key, by bit length */
};

/* A decimal number below 2^128 with a unit k, M, G or T (powers of 1000). */
int gensort_number_parse(
    const char *, gensort_number *, const char *what, struct hp_err *);

/* The next record will be `first`. */
void
gensort_init(struct gensort *, gensort_number first, bool ascii, bool skewed);

/* Writes the next record.  About 10 ns. */
void gensort_next(struct gensort *, unsigned char out[GENSORT_SIZE]);

#endif
