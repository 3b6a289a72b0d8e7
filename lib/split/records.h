#ifndef HP_SPLIT_RECORDS_H
#define HP_SPLIT_RECORDS_H

/*
 * A file, or an extent of one, as an array of records: which bytes are record
 * i, and which record begins at a byte.  Records of one size need arithmetic
 * only.  Lines are counted once, from end to end, and the number of lines
 * before each block is kept, so that either question then reads one block.
 */

#include <stdint.h>

#include "base/err.h"
#include "record/format.h"

struct range {
	uint64_t offset, bytes; /* bytes UINT64_MAX: to the end of the file */
};

struct records {
	const char *name; /* for messages; borrowed */
	const struct format *format;
	const unsigned char *base; /* the bytes of the range, mapped */
	uint64_t bytes;
	uint64_t offset; /* of base in the file */
	uint64_t n;	 /* records */
	void *map;
	size_t map_len;
	uint64_t *before; /* lines that end before each block, and in all */
	unsigned block_shift;
};

/*
 * Maps the range of the file ("-": standard input, from where it stands).
 * HP_USAGE when it is no regular file, HP_INPUT when the range lies outside
 * or the last record is not whole.  Lines: O(bytes), else O(1).
 */
int records_open(struct records *, const char *path, const struct range *,
    const struct format *, struct hp_err *);
/* Harmless on a zeroed struct. */
void records_close(struct records *);

/*
 * About so many places will be looked at: the kernel is not to read ahead from
 * each where that would be more than the file.
 */
void records_expect(const struct records *, uint64_t looks);

/* Where record i <= n begins, counted from base; n: the end. */
uint64_t records_offset(const struct records *, uint64_t i);
/* How many records begin before the byte. */
uint64_t records_index(const struct records *, uint64_t byte);
/* Where the record of the byte begins; a line's delimiter belongs to it. */
uint64_t records_begin(const struct records *, uint64_t byte);
/*
 * The record that begins at the byte, without its delimiter; returns its
 * length, and where the next one begins in *next.
 */
uint64_t records_get(const struct records *, uint64_t byte,
    const unsigned char **record, uint64_t *next);

/*
 * Records of a file of any kind, pipes too, counted by reading what has to be
 * read.
 */
int records_count(const char *path, const struct range *, const struct format *,
    uint64_t *n, struct hp_err *);

#endif
