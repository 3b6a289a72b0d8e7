#ifndef HP_RECORD_STREAM_H
#define HP_RECORD_STREAM_H

/*
 * Records from a descriptor, one at a time, buffered.
 */

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
	size_t seen; /* bytes from pos on that hold no delimiter */
	bool eof;
	uint64_t left; /* of the extent; UINT64_MAX: to the end of file */
	uint64_t nrec; /* records handed out */
};

/* "-" is standard input.  The format must outlive the reader. */
int reader_open(
    struct reader *, const char *path, const struct format *, struct hp_err *);
/* From a descriptor, which stays the caller's to close. */
int reader_init(struct reader *, int fd, const char *name,
    const struct format *, struct hp_err *);
/* Only `bytes` bytes from `offset` on; the file must be seekable. */
int reader_extent(
    struct reader *, uint64_t offset, uint64_t bytes, struct hp_err *);
/* Harmless on a zeroed struct. */
void reader_close(struct reader *);

/*
 * The next record, without its delimiter, valid until the next call: 1, 0 at
 * the end, -1.  A last line without a newline is a line; a last record that is
 * not whole is HP_INPUT, with its number.  The buffer grows to the longest
 * line.
 */
int reader_next(struct reader *, const unsigned char **record, size_t *len,
    struct hp_err *);

#endif
