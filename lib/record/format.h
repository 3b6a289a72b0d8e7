#ifndef HP_RECORD_FORMAT_H
#define HP_RECORD_FORMAT_H

/*
 * What a record is: a line, a fixed number of bytes with a key inside, or a
 * number.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum format_kind {
	FORMAT_LINE,   /* ends with delim, which is not part of the record */
	FORMAT_RECORD, /* size bytes, the key at key_off */
	FORMAT_NUMBER  /* size bytes, all of them the key */
};

enum number_kind {
	NUMBER_UNSIGNED,
	NUMBER_SIGNED,
	NUMBER_FLOAT /* IEEE 754 totalOrder: -nan < -inf < ... < inf < nan */
};

struct format {
	enum format_kind kind;
	size_t size; /* 0 for lines */
	size_t key_off, key_len;
	unsigned char delim; /* of lines */
	enum number_kind number;
	bool big_endian;
};

extern const struct format format_line; /* the default: delim is newline */

/*
 * line, record:SIZE[,KEYOFFSET,KEYLENGTH], gensort, u8 to u64, i8 to i64, f32,
 * f64, each number also with "be" behind it.  HP_USAGE for anything else.
 */
int format_parse(const char *, struct format *, struct hp_err *);

#endif
