#ifndef HP_BASE_SUM_H
#define HP_BASE_SUM_H

/*
 * A checksum of a set of records that does not depend on their order: the sum
 * modulo 2^128 of the crc32 of each record, as gensort -c and valsort print it.
 * The checksums of parts add up to the checksum of the whole.
 */

#include <sys/uio.h>

#include <stddef.h>
#include <stdint.h>

struct sum {
	uint64_t high, low;
};

/* size in bytes of the text of the largest checksum, with its NUL */
#define SUM_HEX 33

void sum_record(struct sum *, const void *, size_t);
/* Adds a line with its delimiter. */
void sum_line(struct sum *, const void *, size_t, unsigned char delim);
/*
 * Adds one record to the sum `times` times. The record is the concatenation of
 * n pieces of memory.
 */
void sum_pieces(struct sum *, const struct iovec *, size_t n, uint64_t times);
void sum_add(struct sum *, const struct sum *);
/* Writes the sum without leading zeros; out has SUM_HEX bytes. */
void sum_format(const struct sum *, char *out);
/*
 * Parses a checksum in the form that sum_format writes. Returns -1 for any
 * other text.
 */
int sum_parse(const char *, struct sum *);

#endif
