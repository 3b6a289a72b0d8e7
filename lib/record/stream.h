#ifndef HP_RECORD_STREAM_H
#define HP_RECORD_STREAM_H

/* A buffered reader that returns one record at a time from a descriptor. */

#include <stdbool.h>
#include <stdint.h>

#include "record/format.h"

struct reader {
	int fd;
	bool owned;	  /* reader_close closes fd */
	const char *name; /* for messages; borrowed */
	const struct format *format;
	unsigned char *buf;
	size_t cap, pos, end;
	/* number of bytes after pos in which no delimiter was found */
	size_t seen;
	bool eof;
	uint64_t size; /* io_size of the file when it was opened */
	/*
	 * number of bytes that may still be read; UINT64_MAX: read to the end
	 * of the file
	 */
	uint64_t left;
	uint64_t header; /* records skipped by reader_header */
	uint64_t nrec;	 /* records returned, without the header */
};

/* Opens a file; "-" is standard input. The format must outlive the reader. */
int reader_open(
    struct reader *, const char *path, const struct format *, struct hp_err *);
/*
 * Prepares to read records from an open descriptor, which the caller must
 * close.
 */
int reader_init(struct reader *, int fd, const char *name,
    const struct format *, struct hp_err *);
/*
 * Restricts the reader to `bytes` bytes of the file, from byte `offset` on. The
 * file must be seekable.
 */
int reader_extent(
    struct reader *, uint64_t offset, uint64_t bytes, struct hp_err *);
/* Reads and ignores the next n records, or all records if there are fewer. */
int reader_header(struct reader *, uint64_t n, struct hp_err *);
/* Does nothing on a zeroed struct. */
void reader_close(struct reader *);

/*
 * Returns 1 and the next record, without its delimiter. The record is valid
 * until the next call. Returns 0 at the end and -1 on an error. A last line
 * without delimiter counts as a line. If the last record of fixed size is
 * incomplete, fails with HP_INPUT, and the message has the record's number. The
 * buffer grows to the longest line.
 */
int reader_next(struct reader *, const unsigned char **record, size_t *len,
    struct hp_err *);
/*
 * Returns 1 and the text of all complete records in the buffer, which are at
 * least one, with their delimiters. The last line of the file may lack its
 * delimiter. Returns 0 and -1 like reader_next. Does not look at each record,
 * so the caller adds the number of records to nrec.
 */
int reader_text(
    struct reader *, const unsigned char **text, size_t *n, struct hp_err *);

#endif
