#ifndef HP_BASE_SUM_H
#define HP_BASE_SUM_H

/*
 * The order-free checksum of a set of records: the sum modulo 2^128 of zlib's
 * crc32 of each, as gensort -c and valsort print it.  Sums of parts add up to
 * the sum of the whole.
 */

#include <sys/uio.h>

#include <stddef.h>
#include <stdint.h>

struct sum {
	uint64_t high, low;
};

#define SUM_HEX 33 /* digits of the longest sum and a NUL */

void sum_record(struct sum *, const void *, size_t);
/* A line and the delimiter behind it. */
void sum_line(struct sum *, const void *, size_t, unsigned char delim);
/* times equal records, each of so many pieces that follow each other. */
void sum_pieces(struct sum *, const struct iovec *, size_t n, uint64_t times);
void sum_add(struct sum *, const struct sum *);
/* Without leading zeros; out has SUM_HEX bytes. */
void sum_format(const struct sum *, char *out);
/* Returns -1 on what sum_format cannot have written. */
int sum_parse(const char *, struct sum *);

#endif
