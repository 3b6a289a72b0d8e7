#ifndef HP_SPLIT_RECORDS_H
#define HP_SPLIT_RECORDS_H

/*
 * Gives access to the records of a file, or of a part of it, by number:
 * converts record numbers to byte offsets and back. For fixed-size records this
 * is arithmetic. Lines are counted once, and the number of lines before each
 * block is stored; each conversion then reads one block.
 */

#include <stdint.h>

#include "base/err.h"
#include "record/format.h"
#include "record/scan.h"
#include "record/stream.h"

struct range {
	/*
	 * `bytes` is the length of the range; UINT64_MAX: up to the end of the
	 * file
	 */
	uint64_t offset, bytes;
	/*
	 * how many records at the start of the range are a header, which is not
	 * part of the data
	 */
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
	int fd; /* to read single records; -1: they are read where mapped */
	/*
	 * before[i] is the number of lines that end before block i; the last
	 * element is the number of all lines.
	 */
	uint64_t *before;
	unsigned block_shift;
};

/*
 * Maps the range of the file into memory. "-" means standard input, from its
 * current file offset. Fails with HP_USAGE if the file is not regular, and with
 * HP_INPUT if the range exceeds the file or the last record is incomplete.
 * O(bytes) for lines, O(1) for other formats.
 */
int records_open(struct records *, const char *path, const struct range *,
    const struct format *, struct hp_err *);
/* Does nothing on a zeroed struct. */
void records_close(struct records *);

enum {
	RECORDS_BLOCK = 4096
};

/*
 * The two blocks that records_get has read last. The struct must be zeroed
 * before the first use.
 *
 * records_get reads records of fixed size with pread(2), not where they are
 * mapped. A page fault maps several pages, and a search needs few of them. It
 * also costs more than the system call, above all in a virtual machine. Lines
 * are read where they are mapped, because all pages were already read to count
 * the lines.
 */
struct records_view {
	struct {
		uint64_t at, len; /* the bytes of the range that it has */
		unsigned char bytes[RECORDS_BLOCK];
	} block[2];
	unsigned last; /* the block that was used last */
};

/*
 * Tells the kernel that the records will be read at about `looks` places.
 * Switches the kernel's read-ahead off, unless so many places amount to reading
 * the whole file.
 */
void records_expect(const struct records *, uint64_t looks);

/*
 * Returns the byte offset of record i from `base`. For i = n, returns the end
 * of the last record.
 */
uint64_t records_offset(const struct records *, uint64_t i);
/* Returns how many records begin before this byte offset. */
uint64_t records_index(const struct records *, uint64_t byte);
/*
 * Returns the byte offset at which the record that contains `byte` begins. A
 * delimiter is part of its line.
 */
uint64_t records_begin(const struct records *, uint64_t byte);
/*
 * Finds the record that begins at offset `byte`. Stores its address and its
 * length without the delimiter in *record, and the offset of the next record in
 * *next. The record stays in memory until the next call but one. Fails with
 * HP_IO if the record cannot be read.
 */
int records_get(const struct records *, struct records_view *, uint64_t byte,
    struct span *record, uint64_t *next, struct hp_err *);

/*
 * Opens a reader for the records of the range. The file may be of any kind,
 * such as a pipe.
 */
int range_reader(struct reader *, const char *path, const struct range *,
    const struct format *, struct hp_err *);

/*
 * Counts the records of the range. The file may be of any kind, such as a pipe.
 * Maps the file instead of reading it if possible.
 */
int records_count(const char *path, const struct range *, const struct format *,
    uint64_t *n, struct hp_err *);

#endif
