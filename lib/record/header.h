#ifndef HP_RECORD_HEADER_H
#define HP_RECORD_HEADER_H

/*
 * The header of a file: its first n records, or all of them if there are fewer.
 * Each input of a job begins with one.  No header is sorted or merged; the
 * first one is written on top of the output.
 */

#include <stdint.h>

#include "base/err.h"
#include "record/format.h"

/* Records of a header, each with its delimiter, and a sum that depends on
 * their order. */
struct header_sum {
	uint64_t records, bytes;
	uint32_t crc;
};

struct header {
	const struct format *format;
	uint64_t n;	  /* records of each file; 0: no file has a header */
	const char *name; /* the file with the first header, and */
	int fd;		  /* its descriptor, behind the header; -1: not open */
	struct header_sum first;
	const char *other; /* a file whose header differs, or NULL */
};

/*
 * Open the file ("-": standard input) and copy its header to the descriptor
 * `to` (-1: nowhere).  A last line without a delimiter gets one in the copy.
 * to_name is for messages; name is borrowed.  Sets the members name, fd and
 * first; the caller closes fd with io_close.  A pipe is read byte by byte, so
 * that what follows the header stays in it.  HP_INPUT if a record is not whole.
 */
int header_take(struct header *, const char *name, int to, const char *to_name,
    struct hp_err *);
/* Move the descriptor of another file behind its header, and compare that. */
int header_skip(struct header *, int fd, const char *name, struct hp_err *);

/*
 * The same for those who read records themselves: add a record without its
 * delimiter; and compare the header of the file with the first one.  An empty
 * file has no header, which is no difference.
 */
void header_add(struct header_sum *, const struct format *,
    const unsigned char *record, size_t len);
void
header_compare(struct header *, const struct header_sum *, const char *name);

#endif
