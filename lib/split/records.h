#ifndef HP_SPLIT_RECORDS_H
#define HP_SPLIT_RECORDS_H

/*
 * A file, or an extent of a file, as an array of records: converts between
 * record numbers and byte offsets. For fixed-size records that is arithmetic.
 * Lines are counted once, from start to end, and the number of lines before
 * each block is kept. A conversion then reads one block.
 */

#include <stdint.h>

#include "base/err.h"
#include "record/format.h"
#include "record/stream.h"

struct range {
	/* bytes: length of the range; UINT64_MAX: up to the end of the file */
	uint64_t offset, bytes;
	/* number of records at the beginning of the file that are left out */
	uint64_t header;
};

struct records {
	const char *name; /* for messages; borrowed */
	const struct format *format;
	const unsigned char *base; /* the mapped bytes of the range */
	uint64_t bytes;
	uint64_t offset; /* offset of base in the file */
	uint64_t n;	 /* number of records */
	uint64_t header; /* records left out before them, for messages */
	void *map;
	size_t map_len;
	/* Lines that end before each block; the last entry is the total. */
	uint64_t *before;
	unsigned block_shift;
};

/*
 * Maps the range of the file. "-" is standard input, from its current offset.
 * Fails with HP_USAGE if this is not a regular file. Fails with HP_INPUT if the
 * range exceeds the file or the last record is incomplete. O(bytes) for lines,
 * otherwise O(1).
 */
int records_open(struct records *, const char *path, const struct range *,
    const struct format *, struct hp_err *);
/* Does nothing on a zeroed struct. */
void records_close(struct records *);

/*
 * Announces that about `looks` positions will be read. Switches the kernel's
 * read-ahead off unless it would read about the whole file anyway.
 */
void records_expect(const struct records *, uint64_t looks);

/*
 * Returns the offset of record i <= n, counted from base. For i = n, returns
 * the end of the records.
 */
uint64_t records_offset(const struct records *, uint64_t i);
/* Returns the number of records that start before the byte. */
uint64_t records_index(const struct records *, uint64_t byte);
/*
 * Returns the start of the record that contains the byte. A delimiter belongs
 * to its line.
 */
uint64_t records_begin(const struct records *, uint64_t byte);
/*
 * Sets *record to the record that starts at the byte. Returns its length
 * without delimiter, and in *next the offset of the next record.
 */
uint64_t records_get(const struct records *, uint64_t byte,
    const unsigned char **record, uint64_t *next);

/* Opens a reader for the records of the range, from a file of any kind. */
int range_reader(struct reader *, const char *path, const struct range *,
    const struct format *, struct hp_err *);

/*
 * Counts the records of any file, including pipes. Reads as little as possible.
 */
int records_count(const char *path, const struct range *, const struct format *,
    uint64_t *n, struct hp_err *);

#endif
