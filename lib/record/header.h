#ifndef HP_RECORD_HEADER_H
#define HP_RECORD_HEADER_H

/*
 * The header of a file: its first n records, or all of them if there are fewer.
 * Each input of a sort or merge begins with a header. Headers are not sorted.
 * The header of the first input is written at the start of the output.
 */

#include <stdint.h>

#include "base/err.h"
#include "record/format.h"

/*
 * Number of records, size and checksum of a header; the delimiters of lines are
 * included. The checksum depends on the order of the records.
 */
struct header_sum {
	uint64_t records, bytes;
	uint32_t crc;
};

struct header {
	const struct format *format;
	/* number of records in the header of each file; 0: no headers */
	uint64_t n;
	const char *name; /* the first file with a header */
	/*
	 * descriptor of the file `name`, with the file offset after the header;
	 * -1: not open
	 */
	int fd;
	struct header_sum first;
	/*
	 * name of a file whose header differs from the first one; NULL: there
	 * is none
	 */
	const char *other;
};

/*
 * Opens a file ("-": standard input) and copies its header to the descriptor
 * `to` (-1: nowhere). A last line without a delimiter gets one in the copy.
 * to_name is for messages; name is borrowed. Sets the members name, fd and
 * first; the caller closes fd with io_close. A pipe is read byte by byte, so
 * that the data after the header stays in it. Fails with HP_INPUT if a record
 * is incomplete.
 */
int header_take(struct header *, const char *name, int to, const char *to_name,
    struct hp_err *);
/*
 * Reads past the header of another input, and compares it with the header of
 * the first input. If they differ, sets the member `other`.
 */
int header_skip(struct header *, int fd, const char *name, struct hp_err *);

/*
 * For callers that read the records of a header themselves. header_add adds a
 * record of the header, without its delimiter. header_compare compares the
 * finished header with that of the first file; the header of an empty file
 * counts as equal.
 */
void header_add(struct header_sum *, const struct format *,
    const unsigned char *record, size_t len);
void
header_compare(struct header *, const struct header_sum *, const char *name);

#endif
